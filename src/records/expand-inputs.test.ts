import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EXIT, UserError } from "../user-error.js";
import { expandInputs } from "./expand-inputs.js";

let cwd = "";
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "rollout-wire-inputs-"));
  const files = ["b.jsonl", "a.jsonl", "runs/2/z.jsonl.gz", "runs/10/y.jsonl", "runs/notes.md"];
  for (const file of [...files, "odd[1].jsonl", "other/x.txt"]) {
    mkdirSync(join(cwd, dirname(file)), { recursive: true });
    writeFileSync(join(cwd, file), "");
  }
});
afterAll(() => rmSync(cwd, { recursive: true }));

test.each([
  [
    ["b.jsonl", "-", "a.jsonl"],
    ["b.jsonl", "-", "a.jsonl"],
  ],
  [["*.jsonl"], ["a.jsonl", "b.jsonl", "odd[1].jsonl"]],
  [["runs"], ["runs/10/y.jsonl", "runs/2/z.jsonl.gz"]],
  [["runs/**/*.md"], ["runs/notes.md"]],
  [["odd[1].jsonl"], ["odd[1].jsonl"]],
  [
    ["b.jsonl", "*.jsonl", "./a*", "."],
    ["b.jsonl", "a.jsonl", "odd[1].jsonl", "runs/10/y.jsonl", "runs/2/z.jsonl.gz"],
  ],
  [["none.jsonl"], ["none.jsonl"]],
])("%j", async (inputs, files) => {
  expect(await expandInputs(inputs, { cwd })).toEqual(files);
});

test("a file that is named twice is passed on twice, for whoever refuses it", async () => {
  expect(await expandInputs(["a.jsonl", "a.jsonl"], { cwd })).toEqual(["a.jsonl", "a.jsonl"]);
});

test.each([
  ["none*.jsonl", "none*.jsonl: matches no file"],
  ["other", "other: holds no **/*.jsonl, **/*.jsonl.gz, **/*.jsonl.zst"],
])("%s finds nothing", async (input, message) => {
  const error = await expandInputs([input], { cwd }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UserError);
  expect(error).toMatchObject({ message, exitCode: EXIT.unreadable });
});
