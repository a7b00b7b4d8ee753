import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scanJson } from "../../base/json/tokens.js";
import { packageRoot } from "../../base/package.js";
import { runCount } from "../../base/testing/run-count.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { targets } from "../../rollouts/wire/export/targets/index.js";
import { createCaptured } from "../../rollouts/wire/scoring/testing/create-captured.js";

/** What one command writes, the next must read, whatever numbers the input has. */

let folder: TestFolder;
beforeAll(() => {
  folder = createTestFolder();
});
afterAll(() => folder.remove());

/** Any number as JSON spells it. */
const number = fc.oneof(
  fc.constantFrom("1e20", "9007199254740992.0", "-9007199254740993", "1E400", "-0.0", "5e-324"),
  fc
    .tuple(
      fc.constantFrom("", "-"),
      fc.oneof(fc.nat(99).map(String), fc.bigInt({ min: 0n, max: 10n ** 22n }).map(String)),
      fc.constantFrom("", ".0", ".5", ".30000000000000004"),
      fc.constantFrom("", "e0", "E5", "e+15", "e16", "e-9", "e22"),
    )
    .map((parts) => parts.join("")),
);

const ROWS = "fixtures/import/tinker/iteration_000003/train_rollout_summaries.jsonl";

const MARK = '"@@"';

/** Lines of a rollout with two branches, with a number wherever one may be. */
function linesWith(text: string, id: number): string {
  const branches = [0, 1].map((index) => ({
    ...createCaptured({
      rollout_id: `r-${id}`,
      branch_index: index,
      final_answer: `answer ${index}`,
    }),
    objective_score: index,
    tool_call_sequence: [
      {
        event: "tool_call",
        channel: "tool",
        data: { toolName: "t", callId: "c", args: { n: "@@" } },
      },
      { event: "tool_result", channel: "tool", data: { callId: "c", output: ["@@"] } },
    ],
    build_result: { n: ["@@"] },
    extra: "@@",
  }));
  return branches.map((branch) => `${JSON.stringify(branch).replaceAll(MARK, text)}\n`).join("");
}

const read = (name: string): string => readFileSync(join(folder.path, name), "utf8");

/** Integers in a file of JSON Lines that readers would round differently. */
function unsafeIntegers(name: string): string[] {
  const tokens = read(name)
    .split("\n")
    .flatMap((line) =>
      [...scanJson(line)].map(({ kind, start, end }) =>
        kind === "number" ? line.slice(start, end) : "",
      ),
    );
  return tokens.filter((token) => /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)));
}

async function validates(name: string): Promise<void> {
  const { exitCode, stdout } = await folder.run(["validate", name]);
  expect([exitCode, stdout]).toEqual([EXIT.ok, ""]);
}

test("rank and every target of export", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(number, { minLength: 1, maxLength: 20 }), async (numbers) => {
      const good = linesWith("1", numbers.length);
      const lines = numbers.map((text, id) => linesWith(text, id));
      folder.write("captured.jsonl", lines.join("") + good);
      const rank = [
        "rank",
        "--skip-invalid",
        "--input",
        "captured.jsonl",
        "--output",
        "ranked.jsonl",
      ];
      expect(await folder.run(rank)).toMatchObject({ exitCode: EXIT.ok });
      await validates("ranked.jsonl");
      for (const target of Object.keys(targets)) {
        const argv = [
          "export",
          "--allow-missing-g3",
          "--input",
          "ranked.jsonl",
          "--target",
          target,
        ];
        const { exitCode, stderr } = await folder.run([...argv, "--output-dir", `out-${target}`]);
        expect([exitCode, stderr]).toEqual([EXIT.ok, expect.any(String)]);
        for (const kind of readdirSync(join(folder.path, `out-${target}`))) {
          if (kind.includes(".")) continue;
          const name = `out-${target}/${kind}/train-00000-of-00001.jsonl`;
          expect(unsafeIntegers(name)).toEqual([]);
          if (target === "wire" || target === "training") await validates(name);
        }
      }
    }),
    { numRuns: runCount(30, 2) },
  );
});

test("import", async () => {
  const [first = ""] = readFileSync(join(packageRoot(), ROWS), "utf8").split("\n");
  const row: object = JSON.parse(first);
  await fc.assert(
    fc.asyncProperty(fc.array(number, { minLength: 1, maxLength: 20 }), async (numbers) => {
      const rows = ["1", ...numbers].map((text, group) =>
        JSON.stringify({
          ...row,
          group_idx: group,
          total_reward: 1,
          tags: ["@@"],
          note: "@@",
        }).replaceAll(MARK, text),
      );
      folder.write("train_rollout_summaries.jsonl", rows.join("\n"));
      const argv = [
        "import",
        "tinker",
        "--input",
        "train_rollout_summaries.jsonl",
        "--skip-invalid",
      ];
      const { exitCode, stdout } = await folder.run([...argv, "--output", "imported.jsonl"]);
      expect([exitCode, stdout]).toEqual([EXIT.ok, expect.any(String)]);
      await validates("imported.jsonl");
    }),
    { numRuns: runCount(30, 2) },
  );
});
