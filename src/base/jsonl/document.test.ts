import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { blockLines } from "./blocks.js";
import { cutDocument, flattenRecord, isDocument } from "./document.js";
import { toRecordLine } from "./reader.js";

describe("isDocument", () => {
  test.each([
    ['[\n  {"a":1},\n  {"b":2}\n]', true],
    ['[{"a":1},{"b":2}]', true],
    ["[]", true],
    ['\ufeff\r\n{\r\n  "a": 1\r\n}', true],
    ['{ "a": [\n1]}', true],
    ['{"a":1}', false],
    ['{"a":1}\n{"b":2}', false],
    ['{"a":1}\nNaN', false],
    ['{"a":1,\n{"b":2}', false],
    ["[1]\n[2]", false],
    ["", false],
    ["NaN", false],
  ])("%j: %s", (text, expected) => {
    expect(isDocument(Buffer.from(text))).toBe(expected);
  });
});

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The records of a text: line, column and value, or the position and message of the fault. */
async function cut(text: string, chunkSize = 1000, maxRecordBytes?: number): Promise<string[]> {
  const found: string[] = [];
  const bytes = Buffer.from(text);
  for await (const block of cutDocument(inChunks(bytes, chunkSize), { maxRecordBytes })) {
    for (const source of blockLines(block)) {
      const record = toRecordLine("a", source);
      if ("value" in record) {
        found.push(`${record.line}:${record.column} ${JSON.stringify(record.value)}`);
        const own = Buffer.from(
          bytes.subarray(source.offset, source.offset + source.stored.length),
        );
        flattenRecord(own);
        expect(own.equals(source.stored)).toBe(true);
      } else {
        const { line, column } = record.position ?? { line: record.line, column: 0 };
        found.push(`${line}:${column} ${record.fault.message}`);
      }
    }
  }
  return found;
}

describe("cutDocument", () => {
  test.each([
    [
      '[{"a":1},\r\n  {"é😀":\r\n "]"}, {"b":[[{}]]}]\r\n',
      ['1:2 {"a":1}', '2:3 {"é😀":"]"}', '3:8 {"b":[[{}]]}'],
    ],
    ['\ufeff[{"é😀":1}, {}]', ['1:2 {"é😀":1}', "1:13 {}"]],
    ['\n{\n  "a": "\\"[{,"\n}\n', ['2:1 {"a":"\\"[{,"}']],
    ["[]", []],
    [" [ ] ", []],
    ["[1]", ["1:2 must be an object, is 1"]],
    ['[{"a":1}\n{"b":2}]', ['2:1 not JSON: unexpected "{"']],
    ['[{"a":1},\n]', ['1:2 {"a":1}', '2:1 not JSON: unexpected "]"']],
    ["[{},,{}]", ["1:2 {}", '1:5 not JSON: unexpected ","']],
    ['[{"a":1}', ['1:2 {"a":1}', "1:9 not JSON: unexpected end of input"]],
    ['[{"a":1},\n', ['1:2 {"a":1}', "2:1 not JSON: unexpected end of input"]],
    ['[{"a":\n1', ["2:2 not JSON: unexpected end of input"]],
    ['[{"a":1}]\n {"b":2}', ['1:2 {"a":1}', "2:2 not JSON: text after the end of the array"]],
    ['[{"a":1]}, {}]', ['1:8 not JSON: unexpected "]"', "1:12 {}"]],
    ['{\n"a":1\n}\n{}', ['4:1 not JSON: unexpected "{"']],
    ['[{"a":"x\ny"},{}]', [expect.stringMatching(/^1:9 not JSON/), "2:5 {}"]],
  ])("%j", async (text, expected) => {
    for (const size of [1000, 7, 3]) expect(await cut(text, size)).toEqual(expected);
  });

  test("a record that is too long is dropped, and the others are not", async () => {
    const text = `[{"a":1},\n{"b":"${"x".repeat(50)}"},\n{"c":1}]`;
    const expected = [
      '1:2 {"a":1}',
      expect.stringMatching(/^2:0 line of more than/),
      '3:1 {"c":1}',
    ];
    for (const size of [1000, 7, 3]) expect(await cut(text, size, 20)).toEqual(expected);
  });

  test("any array, however it is printed and cut", async () => {
    const record = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 });
    const indent = fc.constantFrom(undefined, 1, "\t");
    await fc.assert(
      fc.asyncProperty(
        fc.array(record),
        indent,
        fc.integer({ min: 3, max: 40 }),
        async (records, space, size) => {
          const values = (await cut(JSON.stringify(records, null, space), size)).map((each) =>
            JSON.parse(each.replace(/^\S+ /, "")),
          );
          expect(values).toEqual(JSON.parse(JSON.stringify(records)));
        },
      ),
    );
  });
});
