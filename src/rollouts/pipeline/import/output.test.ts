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
  viaScratch: boolean,
  isDropped: (ordinal: number) => boolean = () => false,
): Promise<string[]> {
  const path = join(folder, "out.jsonl");
  const staging = new FileStaging();
  const scratch = viaScratch ? new ScratchFile(join(folder, "scratch")) : undefined;
  const output = new BranchOutput(await staging.open(path), scratch);
  for (const line of LINES) await output.add(line);
  expect(output.branches).toBe(LINES.length);
  for (const ordinal of LINES.keys()) if (isDropped(ordinal)) output.drop(ordinal);
  await output.finish();
  await staging.commit();
  await staging.close();
  scratch?.close();
  const text = readFileSync(path, "utf8");
  if (scratch) rmSync(join(folder, "scratch"));
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

test("added branches are written, with and without a scratch file", async () => {
  expect((await write(false)).join("\n") === LINES.join("\n")).toBe(true);
  expect((await write(true)).join("\n") === LINES.join("\n")).toBe(true);
});

test("dropped branches are not written", async () => {
  const masks = Array.from({ length: 37 }, (_, index) => 7 * index);
  for (const mask of sampleCases(masks, 6)) {
    const isDropped = (ordinal: number): boolean => ((mask >> ordinal) & 1) === 1;
    const kept = LINES.filter((_, ordinal) => !isDropped(ordinal));
    expect((await write(true, isDropped)).join("\n") === kept.join("\n"), `${mask}`).toBe(true);
  }
});
