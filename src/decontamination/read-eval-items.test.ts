import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EXIT, UserError } from "../user-error.js";
import { readEvalItems } from "./read-eval-items.js";

let cwd = "";
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "rollout-wire-eval-"));
});
afterAll(() => rmSync(cwd, { recursive: true }));

function write(name: string, content: string | Uint8Array): string {
  const path = join(cwd, name);
  writeFileSync(path, content);
  return path;
}

async function* toStdin(...chunks: string[]) {
  yield* chunks;
}

test("by content, whatever the name", async () => {
  const file = write("items.txt", '{"question": "a"}\n');
  expect(await readEvalItems(file)).toEqual([{ file, line: 1, id: "#1", text: "a" }]);
});

test.each(["plain", '{"text": "plain"}', '["plain"]', '"plain"'])(
  "a byte-order mark before %s, and gzip",
  async (content) => {
    const file = write("marked", gzipSync(`\ufeff${content}\r\n`));
    expect((await readEvalItems(file)).map(({ text }) => text)).toEqual(["plain"]);
  },
);

test("the field that is named", async () => {
  const file = write("field.jsonl", '{"prompt": "a", "body": "b"}');
  expect(await readEvalItems(file, { field: "body" })).toMatchObject([{ text: "b" }]);
});

test("a source has its own working folder and standard input", async () => {
  write("relative", "a");
  const source = { stdin: toStdin("b\n", "c"), cwd };
  expect(await readEvalItems("relative", {}, source)).toMatchObject([
    { file: "relative", text: "a" },
  ]);
  expect(await readEvalItems("-", {}, source)).toMatchObject([
    { file: "<stdin>", line: 1, text: "b" },
    { file: "<stdin>", line: 2, text: "c" },
  ]);
});

test.each([
  ["a missing file", undefined, ": no such file"],
  ["an empty file", "", ": no evaluation items, so nothing to compare tasks with"],
  ["what is not UTF-8", Uint8Array.of(0x0a, 0x63, 0xe9), ":2: not UTF-8: byte 0xe9"],
  ["binary data", Uint8Array.of(0x63, 0), ": binary data, or text in UTF-16: give UTF-8"],
])("%s is refused in one line that names it", async (_name, content, message) => {
  const file = content === undefined ? join(cwd, "none") : write("bad", content);
  const error: unknown = await readEvalItems(file).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UserError);
  expect(error).toMatchObject({ exitCode: EXIT.unreadable, message: `${file}${message}` });
});

test.each(["items.csv", "items.TSV", "items.yaml", "items.yml.gz"])(
  "%s is refused: row by row it would match nothing",
  async (name) => {
    const file = write(name, "id,question\n1,What is it?\n");
    const reading = readEvalItems(file, {}, { stdin: toStdin(), cwd });
    await expect(reading).rejects.toThrow(`${name}: a table or YAML`);
  },
);
