import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EXIT, UserError } from "../user-error.js";
import { resolveOutputs } from "./outputs.js";

let cwd = "";
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "rollout-wire-outputs-")));
  mkdirSync(join(cwd, "folder"));
  writeFileSync(join(cwd, "input.jsonl"), "");
  symlinkSync("input.jsonl", join(cwd, "input-link"));
  linkSync(join(cwd, "input.jsonl"), join(cwd, "input-twin"));
  symlinkSync("folder", join(cwd, "folder-link"));
  writeFileSync(join(cwd, "folder/old.jsonl"), "");
  symlinkSync("folder/old.jsonl", join(cwd, "old-link"));
});
afterAll(() => rmSync(cwd, { recursive: true }));

async function problem(dpo: string, ppo: string): Promise<string> {
  const error = await resolveOutputs([dpo, ppo], ["-", "input.jsonl"], cwd).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof UserError)) throw new Error(`no UserError: ${JSON.stringify(error)}`);
  expect(error.exitCode).toBe(EXIT.usage);
  return error.message;
}

test("new files, and existing ones through links", async () => {
  expect(await resolveOutputs(["new.jsonl", "old-link"], ["input.jsonl"], cwd)).toEqual([
    join(cwd, "new.jsonl"),
    join(cwd, "folder/old.jsonl"),
  ]);
});

test.each(["input.jsonl", "./folder/../input.jsonl", "input-link", "input-twin"])(
  "an output that is also an input, named %s",
  async (name) => {
    expect(await problem(name, "p")).toBe(`output ${name}: is also an input`);
    expect(await problem("d", name)).toBe(`output ${name}: is also an input`);
  },
);

test.each([
  ["new", "new"],
  ["new", "folder/../new"],
  ["folder/new", "folder-link/new"],
  ["folder/old.jsonl", "old-link"],
])("%s and %s are the same file", async (dpo, ppo) => {
  expect(await problem(dpo, ppo)).toBe(`output ${ppo}: is given for two outputs`);
});

test("targets that no file can replace", async () => {
  expect(await problem("folder", "p")).toBe("output folder: is not a regular file");
  expect(await problem("d", "/dev/null")).toBe("output /dev/null: is not a regular file");
  expect(await problem("none/d", "p")).toBe("output none/d: its folder does not exist");
});
