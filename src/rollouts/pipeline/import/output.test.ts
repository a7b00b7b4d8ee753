import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ScratchFile } from "../../../base/files/scratch-file.js";
import { FileStaging } from "../../../base/files/staging.js";
import { sampleCases } from "../../../base/testing/run-count.js";
import { BranchOutput } from "./output.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-branch-output-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Lines longer and shorter than the read and write buffers. */
const LINES = [7, 2 ** 20, 0, 3 * 2 ** 20, 2 ** 20 - 1, 1, 2 ** 19, 5].map(
  (length, index) => `${index}${"é".repeat(length / 2)}`,
);

async function write(
  isDropped: (ordinal: number) => boolean = () => false,
  isReplaced: (ordinal: number) => boolean = () => false,
  gaps = false,
): Promise<string[]> {
  const path = join(folder, "out.jsonl");
  const staging = new FileStaging();
  const scratch = new ScratchFile(join(folder, "scratch"));
  const changed = new ScratchFile(join(folder, "changed"));
  const output = new BranchOutput(await staging.open(path), scratch, changed);
  const written = LINES.map((line) => output.add(line));
  expect(output.branches).toBe(LINES.length);
  for (const [ordinal, place] of written.entries()) {
    expect(output.read({ ordinal, written: place }) === LINES[ordinal], `${ordinal}`).toBe(true);
    if (isReplaced(ordinal)) output.replace(ordinal, toOther(ordinal));
  }
  for (const ordinal of LINES.keys()) if (isDropped(ordinal)) output.drop(ordinal);
  await output.finish(gaps);
  await staging.commit();
  await staging.close();
  for (const [name, file] of Object.entries({ scratch, changed })) {
    file.close();
    rmSync(join(folder, name));
  }
  const text = readFileSync(path, "utf8");
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** What stands in the place of a line: shorter or longer than it, or empty. */
const toOther = (ordinal: number): string => "ö".repeat((ordinal % 3) * 2 ** 19);

test("added branches are written", async () => {
  expect((await write()).join("\n") === LINES.join("\n")).toBe(true);
});

test("dropped branches are not written", async () => {
  const masks = Array.from({ length: 37 }, (_, index) => 7 * index);
  for (const mask of sampleCases(masks, 6)) {
    const isDropped = (ordinal: number): boolean => ((mask >> ordinal) & 1) === 1;
    const kept = LINES.filter((_, ordinal) => !isDropped(ordinal));
    expect((await write(isDropped)).join("\n") === kept.join("\n"), `${mask}`).toBe(true);
  }
});

test.each([false, true])(
  "replaced branches have their place, unless they are dropped; with gaps: %j",
  async (gaps) => {
    for (const mask of [0b1, 0b10, 0b1000_0000, 0b101_1010, 0b1111_1111]) {
      const isReplaced = (ordinal: number): boolean => ((mask >> ordinal) & 1) === 1;
      const isDropped = (ordinal: number): boolean => ordinal === 1 || ordinal === 6;
      const expected = LINES.flatMap((line, ordinal) => {
        if (isDropped(ordinal)) return gaps ? [""] : [];
        return [isReplaced(ordinal) ? toOther(ordinal) : line];
      });
      const written = await write(isDropped, isReplaced, gaps);
      expect(written.join("\n") === expected.join("\n").replace(/\n$/, ""), `${mask}`).toBe(true);
    }
  },
);
