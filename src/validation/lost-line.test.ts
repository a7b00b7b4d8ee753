import { expect, test } from "vitest";
import { toRecordLine } from "../jsonl/reader.js";
import { readLostLine } from "./lost-line.js";

function read(text: string | Buffer, column?: number) {
  const bytes = Buffer.from(text);
  const source = { line: 1, offset: 0, stored: bytes, bytes, column };
  return readLostLine(toRecordLine("a", source), source);
}

const known = (...ids: string[]) => ({ ids, isKnown: true });
const unknown = (...ids: string[]) => ({ ids, isKnown: false });

test.each([
  ['{"rollout_id":"a"}', known("a")],
  ['{"rollout_id":7}', unknown()],
  ['{"rollout_id" : "a", "rank": NaN}', known("a")],
  ['{"task":["\\"",{"rollout_id":"n"}],"rollout_id":"a\\u0062","rank":', known("ab", "n")],
  ['{"rollout_id":7,"x":{"rollout_id":"n"},', unknown("n")],
  ['{"rank":NaN,"rollout_id":"a"}', unknown("a")],
  ['{"x":[{"rollout_id":"n"},', unknown("n")],
  ['[{"rollout_id":"n"}]', unknown("n")],
  ['{"rollout_id":"a"}{"rollout_id":"b"}', known("a", "b")],
  ['{"rollout_id":"a"}{"rollout_id":"b"', unknown("a", "b")],
  ['{"rollout_id":"n"},"rank":1}', unknown("n")],
  ['{"rollout_id":"a', unknown()],
  ['{"rollout_id":"a\\"', unknown()],
  ['{"task":"{\\"rollout_id\\":\\"quoted\\"', unknown()],
  ["", unknown()],
])("%s", (text, expected) => {
  expect(read(text)).toEqual(expected);
});

test.each([
  ['{"rollout_id":"a","rank":"x"}', known("a")],
  ['{"rollout_id":"a","rank":NaN,"score":[ -Infinity]}', known("a")],
  [Buffer.from('{"rollout_id":"a","task":"\xff"}', "latin1"), known("a")],
  ['{"rollout_id":"a","task":"t},{"rollout_id":b","task":"t"}', unknown("a")],
  ['{"rollout_id":"a","rank":', unknown("a")],
])("in a JSON text, a record that may not end where it should is unknown: %s", (text, expected) => {
  expect(read(text, 2)).toEqual(expected);
});

test("bytes that are not UTF-8", () => {
  const invalid = Buffer.of(0xff);
  expect(read(Buffer.concat([Buffer.from('{"rollout_id":"a","task":"'), invalid]))).toEqual(
    known("a"),
  );
  expect(read(Buffer.concat([Buffer.from('{"rollout_id":"a'), invalid])).isKnown).toBe(false);
});

test("a line that is too long, and one with a long id, do not overflow the stack", () => {
  const tooLong = { line: 1, offset: 0, stored: Buffer.alloc(0), bytes: undefined };
  expect(readLostLine(toRecordLine("a", tooLong), tooLong)).toEqual(unknown());
  expect(read(`{"rollout_id":"a","x":{"rollout_id":"${"\\\\".repeat(4_000_000)}"`)).toEqual(
    known("a"),
  );
});
