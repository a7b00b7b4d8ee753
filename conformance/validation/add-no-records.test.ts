import { expect, test } from "vitest";
import { FindingList } from "../findings/finding-list.js";
import { addNoRecords } from "./add-no-records.js";

const line = { file: "a", line: 1, byteLength: 2, text: "{}", value: {} };

function messages(checked: number, rejected?: number): string[] {
  const findings = new FindingList({ maxErrors: 10 });
  for (let count = 0; count < checked; count += 1) findings.addChecked(line, []);
  addNoRecords(findings, ["a", "-"], rejected);
  expect(findings.errors).toBe(findings.toReport("export").findings.length);
  return findings
    .toReport("export")
    .findings.map(({ id, file, message }) => `${file} ${id}: ${message}`);
}

test("files in which something was checked are no error", () => {
  expect(messages(1)).toEqual([]);
  expect(messages(3, 2)).toEqual([]);
});

test("files without records are one each", () => {
  expect(messages(0)).toEqual([
    "a no-records: holds no records: nothing was checked",
    "<stdin> no-records: holds no records: nothing was checked",
  ]);
});

test("files whose records were all left out are one each", () => {
  expect(messages(2, 2)).toEqual([
    "a no-records: nothing is left of it: every record was left out",
    "<stdin> no-records: nothing is left of it: every record was left out",
  ]);
});
