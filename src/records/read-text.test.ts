import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EXIT, UserError } from "../user-error.js";
import { readText } from "./read-text.js";

let cwd = "";
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "rollout-wire-text-"));
});
afterAll(() => rmSync(cwd, { recursive: true }));

async function* toStdin(...chunks: (Uint8Array | string)[]) {
  yield* chunks;
}

async function readError(content: Uint8Array | string, maxBytes?: number): Promise<string> {
  const reading = readText("-", { stdin: toStdin(content), cwd }, maxBytes);
  const error = await reading.catch((thrown: unknown) => thrown);
  if (!(error instanceof UserError)) throw new Error(`no UserError: ${error}`);
  expect(error.exitCode).toBe(EXIT.unreadable);
  return error.message;
}

test("the text of a file, packed or not, and of standard input", async () => {
  const text = "dí\ufeffa\r\n\n👍";
  writeFileSync(join(cwd, "plain"), `\ufeff${text}`);
  writeFileSync(join(cwd, "packed"), gzipSync(text));
  expect(await readText("plain", { stdin: toStdin(), cwd })).toBe(text);
  expect(await readText("packed", { stdin: toStdin(), cwd })).toBe(text);
  const bytes = [...Buffer.from(text)].map((byte) => Buffer.of(byte));
  expect(await readText("-", { stdin: toStdin(...bytes), cwd })).toBe(text);
  expect(await readText("-", { stdin: toStdin(), cwd })).toBe("");
});

test("what is not UTF-8 is told with its line", async () => {
  expect(await readError(Buffer.concat([Buffer.from("á\n\nb"), Buffer.of(0xe9)]))).toBe(
    "<stdin>:3: not UTF-8: byte 0xe9",
  );
});

test("what is too long for a string", async () => {
  expect(await readError("12345", 4)).toBe(
    "<stdin>: more than 4 bytes: too long to be read at once",
  );
  expect(await readText("-", { stdin: toStdin("1234"), cwd }, 4)).toBe("1234");
});
