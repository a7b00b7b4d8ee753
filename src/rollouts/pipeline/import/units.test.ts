import { describe, expect, test } from "vitest";
import { cutBlocks } from "../../../base/jsonl/blocks.js";
import type { FileBlock } from "../../../base/jsonl/file-blocks.js";
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

  async function read(texts: readonly string[], documents: boolean) {
    const units: [place: string, text: string | undefined, isDocument: boolean][] = [];
    for await (const { file, source, isDocument } of readUnits(blocksOf(texts), documents)) {
      units.push([`${file}:${source.line}`, source.bytes?.toString(), isDocument]);
    }
    return units;
  }

  test("lines with their numbers", async () => {
    expect(await read(['{"a":1}\n\n{"b":\n', "c"], false)).toEqual([
      ["0:1", '{"a":1}', false],
      ["0:3", '{"b":', false],
      ["1:1", "c", false],
    ]);
  });

  test("a file whose first line is incomplete is one document, without its byte-order mark", async () => {
    const printed = '{\n  "a": [\n    1\n  ]\n}\n';
    expect(await read([`\ufeff${printed}`, '{"b":1}\n{"c":1}'], true)).toEqual([
      ["0:1", printed, true],
      ["1:1", '{"b":1}', false],
      ["1:2", '{"c":1}', false],
    ]);
  });

  test.each(['{"a":1}', '{"a":', "{", "", "\n\n", '{"a": "b\n{"c":1}'])(
    "%j is not a document",
    async (text) => {
      const units = await read([text], true);
      expect(units.every(([, , isDocument]) => isDocument === false)).toBe(true);
    },
  );

  test("without `documents`, every line is a record", async () => {
    expect(await read(["{\n}\n"], false)).toHaveLength(2);
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
      isDocument: true,
      rank: undefined,
      totalScore: undefined,
    };
    const numbers = importCodec.toNumbers(row);
    expect(numbers).toHaveLength(importCodec.width);
    const log = Float64Array.from([
      ...numbers,
      ...importCodec.toNumbers({ ...row, isDocument: false }),
    ]);
    expect(importCodec.fromNumbers(log, 0)).toEqual(row);
    expect(importCodec.fromNumbers(log, importCodec.width)).toEqual({ ...row, isDocument: false });
  });
});
