import { expect, test } from "vitest";
import {
  groupBatches,
  parseSegment,
  printHeader,
  printRecord,
  readHeader,
  type StoredRecord,
} from "./segment.js";

const PLACE = { log: "0mwreih5n-2d33244dd677", segment: 2 };
const RECORDS: readonly StoredRecord[] = [
  { record: 5, batch: 1, line: '{"a":1}' },
  { record: 6, batch: 1, line: '{"é":"\\n"}' },
  { record: 7, batch: 3, line: "{}" },
];
const LINES = RECORDS.map((record) => printRecord(PLACE, record));
const TEXT = `${printHeader(PLACE)}${LINES.join("")}`;

test("what is written is read", () => {
  expect(parseSegment(TEXT, PLACE)).toEqual({ entries: RECORDS, torn: "" });
  expect(readHeader(TEXT)).toEqual(PLACE);
});

test("each change of one character is noticed, and costs at most two records", () => {
  let changes = 0;
  for (let index = 0; index < TEXT.length; index += 1) {
    for (const character of ["\0", "\n", "{", "1", " "]) {
      if (TEXT[index] === character) continue;
      const text = `${TEXT.slice(0, index)}${character}${TEXT.slice(index + 1)}`;
      const { entries } = parseSegment(text, PLACE);
      const intact = entries.filter((entry) => typeof entry !== "string");
      for (const record of intact) expect(RECORDS).toContainEqual(record);
      expect(intact.length).toBeGreaterThanOrEqual(1);
      if (index >= printHeader(PLACE).length) expect(intact.length).toBeLessThan(3);
      changes += 1;
    }
  }
  expect(changes).toBeGreaterThan(400);
});

test("a line of another segment or log does not verify", () => {
  for (const place of [
    { ...PLACE, segment: 3 },
    { ...PLACE, log: "0mwreih5n-2d33244dd678" },
  ]) {
    const { entries } = parseSegment(LINES.join(""), place);
    expect(entries).toEqual(LINES.map((line) => line.trimEnd()));
  }
});

test("lines that were copied or moved are read once, in order", () => {
  const [first = "", second = "", third = ""] = LINES;
  const text = `${printHeader(PLACE)}${third}damaged\n${first}${second}${first}`;
  expect(parseSegment(text, PLACE).entries).toEqual([...RECORDS, "damaged"]);
});

test("CRLF and a byte order mark do no harm", () => {
  const text = `\uFEFF${TEXT.replaceAll("\n", "\r\n")}`;
  expect(parseSegment(text, PLACE)).toEqual({ entries: RECORDS, torn: "" });
  expect(readHeader(text)).toEqual(PLACE);
});

test("a torn last line is separate", () => {
  expect(parseSegment(TEXT.slice(0, -1), PLACE).torn).toBe(LINES[2]?.trimEnd());
});

test("a bare record is damaged", () => {
  expect(parseSegment(`${TEXT}{"a":2}\n`, PLACE).entries.at(-1)).toBe('{"a":2}');
  expect(parseSegment('{"a":2}\n', PLACE).entries).toEqual(['{"a":2}']);
});

test("batches keep their numbers", () => {
  const batches = groupBatches(parseSegment(TEXT, PLACE));
  expect([...batches.keys()]).toEqual([1, 3]);
});

test("an empty file has no records", () => {
  expect(parseSegment("", PLACE)).toEqual({ entries: [], torn: "" });
});
