import { describe, expect, test } from "vitest";
import { cutBlocks } from "../../../base/jsonl/blocks.js";
import type { FileBlock } from "../../../base/jsonl/file-blocks.js";
import { FileForms } from "./file-forms.js";
import type { Form } from "./forms/form.js";
import { rows } from "./forms/rows.js";
import { NO_VALUES, SETTINGS } from "./testing/read-row.js";
import { type ImportRow, importCodec, readUnits } from "./units.js";

describe("readUnits", () => {
  async function* blocksOf(texts: readonly string[]): AsyncGenerator<FileBlock> {
    for (const [input, text] of texts.entries()) {
      for await (const block of cutBlocks(chunksOf(text))) yield { input, file: `${input}`, block };
    }
  }

  /** Three bytes at a time, so that every line is a block. */
  async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3);
  }

  async function read(texts: readonly string[], form: Partial<Form> = {}) {
    const createReader = () => rows.createReader(SETTINGS, NO_VALUES, []);
    const choice = { named: { ...rows, ...form }, createReader };
    const forms = new FileForms(choice, { cwd: "." }, () => {});
    const units: [place: string, text: string | undefined, layout: string][] = [];
    for await (const { file, source, layout } of readUnits(blocksOf(texts), forms)) {
      units.push([`${file}:${source.line}`, source.bytes?.toString(), layout]);
    }
    return units;
  }

  test("lines with their numbers", async () => {
    expect(await read(['{"a":1}\n\n{"b":\n', "c"])).toEqual([
      ["0:1", '{"a":1}', "line"],
      ["0:3", '{"b":', "line"],
      ["1:1", "c", "line"],
    ]);
  });

  test("a file whose first line is incomplete is one document, without its byte-order mark", async () => {
    const printed = '{\n  "a": [\n    1\n  ]\n}\n';
    expect(await read([`\ufeff${printed}`, '{"b":1}\n{"c":1}'])).toEqual([
      ["0:1", printed, "document"],
      ["1:1", '{"b":1}', "line"],
      ["1:2", '{"c":1}', "line"],
    ]);
  });

  test.each(['{"a":1}', '{"a":', "{", "", "\n\n", '{"a": "b\n{"c":1}'])(
    "%j is not a document",
    async (text) => {
      const units = await read([text]);
      expect(units.every(([, , layout]) => layout === "line")).toBe(true);
    },
  );

  test("a form that joins lines gets the whole file, unless that is one document", async () => {
    const lines = '{"a":1}\n{"b":2}\n';
    expect(await read([lines, "[\n1\n]"], { joinsLines: true })).toEqual([
      ["0:1", lines, "joined"],
      ["1:1", "[\n1\n]", "document"],
    ]);
  });
});

describe("ImportRow", () => {
  test("a row survives a round trip through numbers", () => {
    const row: ImportRow = {
      hash: 1,
      input: 2,
      offset: 3,
      length: 4,
      line: 5,
      checksum: 6,
      otherHash: 7,
      branchIndex: 8,
      task: 9,
      ordinal: 10,
      layout: "document",
      part: 3,
      written: { start: 11, length: 12 },
      rank: undefined,
      totalScore: undefined,
    };
    const numbers = importCodec.toNumbers(row);
    expect(numbers).toHaveLength(importCodec.width);
    const log = Float64Array.from([
      ...numbers,
      ...importCodec.toNumbers({ ...row, layout: "line" }),
    ]);
    expect(importCodec.fromNumbers(log, 0)).toEqual(row);
    expect(importCodec.fromNumbers(log, importCodec.width)).toEqual({ ...row, layout: "line" });
  });
});
