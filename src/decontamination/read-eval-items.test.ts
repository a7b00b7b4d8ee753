import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXIT, UserError } from "../user-error.js";
import { readEvalItems } from "./read-eval-items.js";

describe("readEvalItems", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "eval-items-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function write(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  }

  it("reads by content, whatever the name", async () => {
    const path = await write("items.txt", '{"question": "a"}\n');
    expect(await readEvalItems(path)).toEqual([{ file: path, line: 1, id: "#1", text: "a" }]);
  });

  it.each(["plain", '{"text": "plain"}', '["plain"]', '"plain"'])(
    "drops the byte-order mark before %s",
    async (content) => {
      const path = await write("bom", `\uFEFF${content}\r\n`);
      expect((await readEvalItems(path)).map(({ text }) => text)).toEqual(["plain"]);
    },
  );

  it("takes the text from the field that was named", async () => {
    const path = await write("field.jsonl", '{"prompt": "a", "body": "b"}');
    expect(await readEvalItems(path, { field: "body" })).toMatchObject([{ text: "b" }]);
  });

  it.each([
    ["a missing file", "missing.jsonl", undefined, "no such file of evaluation items"],
    ["a directory", ".", undefined, "a directory, not a file of evaluation items"],
    ["an empty file", "empty", "", "no evaluation items, so nothing to compare tasks with"],
    ["what is not UTF-8", "latin1", Uint8Array.of(0x63, 0xe9), "evaluation items must be UTF-8"],
  ])("refuses %s in one line that names it", async (_, name, content, message) => {
    const path = content === undefined ? join(folder, name) : await write(name, content);
    const error: unknown = await readEvalItems(path).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({
      exitCode: EXIT.unreadable,
      message: expect.stringContaining(`${path}: ${message}`),
    });
    expect(String(error)).not.toContain("\n");
  });
});
