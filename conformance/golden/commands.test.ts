import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import { isNightly } from "../../src/base/testing/run-count.js";
import { createTestFolder } from "../../src/base/testing/run-in-folder.js";
import { targets } from "../../src/rollouts/wire/export/targets/index.js";
import { outputKinds } from "../../src/rollouts/wire/export/targets/target.js";
import { listGolden, OUTPUT_PREFIX } from "./files.js";
import { GOLDEN_EXPORTED_AT_MS } from "./outputs.js";

const folder = createTestFolder();

afterAll(() => folder.remove());

const fromRoot = (file: string): string => join(packageRoot(), file);
const read = (path: string): string => readFileSync(path, "utf8");
const { runs } = listGolden(packageRoot());

/** The library creates the outputs; this test verifies that the commands write the same bytes. */
test.each(runs)("rank writes $folder", async ({ folder: golden, input }) => {
  const argv = ["rank", "--input", fromRoot(input), "--output", "ranked.jsonl"];
  const { exitCode, stderr } = await folder.run(argv);
  expect(exitCode, stderr).toBe(0);
  const expected = read(fromRoot(`${golden}/${OUTPUT_PREFIX}rank.jsonl`));
  expect(read(join(folder.path, "ranked.jsonl"))).toBe(expected);
});

/** By day, each run with a third of the targets, and each target with a third of the runs. */
const cases = runs.flatMap((run, row) =>
  Object.entries(targets)
    .filter((_, column) => isNightly || (row + column) % 3 === 0)
    .map(([id, target]) => ({ ...run, id, target })),
);

test.each(cases)(
  "export to $id writes $folder",
  async ({ folder: golden, input, evalItems, id, target }) => {
    const isRanked = read(fromRoot(input)).includes('"total_score"');
    const ranked = isRanked ? input : `${golden}/${OUTPUT_PREFIX}rank.jsonl`;
    const kinds = outputKinds(target);
    const { exitCode, stderr } = await folder.run([
      ...["export", "--input", fromRoot(ranked), "--target", id],
      ...(evalItems
        ? ["--eval-items", fromRoot(evalItems), "--drop-contaminated"]
        : ["--allow-missing-g3"]),
      ...["--exported-at-ms", String(GOLDEN_EXPORTED_AT_MS)],
      ...kinds.flatMap((kind) => [`--output-${kind}`, `${kind}.jsonl`]),
    ]);
    expect(exitCode, stderr).toBe(0);
    for (const kind of kinds) {
      const expected = read(fromRoot(`${golden}/${OUTPUT_PREFIX}${id}.${kind}.jsonl`));
      expect(read(join(folder.path, `${kind}.jsonl`))).toBe(expected);
    }
  },
);
