import fc from "fast-check";
import { expect, test } from "vitest";
import { toRecordLine } from "../../../base/jsonl/reader.js";
import { runCount } from "../../../base/testing/run-count.js";
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
  const afterKey = (text: string) => read(Buffer.concat([Buffer.from(text), invalid]));
  expect(afterKey('{"rollout_id":"a","ta\\sk":"')).toEqual(known("a"));
  expect(afterKey('{"ta\\sk":"","rollout_id":"a","task":"')).toEqual(unknown("a"));
});

test("no damage makes a line unreadable", () => {
  const whole = Buffer.from('{"rollout_id":"ä","ta\\nsk":["\\u00e9",{"rank":-1.5e3}],"rank":null}');
  const edit = fc.record({
    at: fc.nat(whole.length),
    removed: fc.nat(3),
    added: fc.constantFrom("", '"', "\\", "{", "]", ":", ",", "1", "e", "\u0001", "\xff"),
  });
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
      const damaged = edits.reduce(
        (bytes, { at, removed, added }) =>
          Buffer.concat([
            bytes.subarray(0, at),
            Buffer.from(added, "latin1"),
            bytes.subarray(at + removed),
          ]),
        whole,
      );
      const { ids, isKnown } = read(damaged);
      expect(ids.length > 0 || !isKnown).toBe(true);
    }),
    { numRuns: runCount(20_000) },
  );
});

test("a line that is too long, and one with a long id, do not overflow the stack", () => {
  const tooLong = { line: 1, offset: 0, stored: Buffer.alloc(0), bytes: undefined };
  expect(readLostLine(toRecordLine("a", tooLong), tooLong)).toEqual(unknown());
  expect(read(`{"rollout_id":"a","x":{"rollout_id":"${"\\\\".repeat(4_000_000)}"`)).toEqual(
    known("a"),
  );
});
