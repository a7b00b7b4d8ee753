import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { UserError } from "../user-error.js";
import { isPlainFile } from "./is-plain-file.js";

let cwd = "";
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "rollout-wire-plain-"));
  writeFileSync(join(cwd, "plain"), "text");
  writeFileSync(join(cwd, "empty"), "");
  writeFileSync(join(cwd, "short"), Buffer.from([0x1f]));
  writeFileSync(join(cwd, "text.gz"), "not packed, whatever it is called");
  writeFileSync(join(cwd, "packed"), gzipSync("text"));
  writeFileSync(join(cwd, "zstd"), Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0]));
  symlinkSync("plain", join(cwd, "link"));
  execFileSync("mkfifo", [join(cwd, "pipe")]);
});
afterAll(() => rmSync(cwd, { recursive: true }));

test.each([
  ["plain", true],
  ["empty", true],
  ["short", true],
  ["text.gz", true],
  ["link", true],
  ["packed", false],
  ["zstd", false],
  // Nobody writes into it: whoever tried to read it would wait for ever.
  ["pipe", false],
  ["-", false],
])("%s: %s", async (file, expected) => {
  expect(await isPlainFile(file, { cwd, stdin: Readable.from([]) })).toBe(expected);
});

test("a file that is not there", async () => {
  const asked = isPlainFile("none", { cwd, stdin: Readable.from([]) });
  await expect(asked).rejects.toThrow(UserError);
  await expect(asked).rejects.toThrow("none: no such file");
});
