import { expect, test } from "vitest";
import { HOME } from "../../scripts/home.js";
import { createBranch } from "../../src/export/testing/create-branch.js";
import { OutlineReader } from "../../src/records/outline-reader.js";
import { toRecordLine } from "../../src/records/to-record-line.js";
import { createCorpus } from "../agreement/create-corpus.js";
import { FindingList } from "../findings/finding-list.js";
import { checkBlock } from "./check-block.js";
import { checkRecord } from "./check-record.js";
import { profiles } from "./profiles.js";

const good = JSON.stringify(createBranch());
const bad = good.replace('"objective_score":1', '"objective_score":7');

function check(text: string, options: Partial<Parameters<typeof checkBlock>[0]> = {}) {
  const block = { line: 11, offset: 1000, bytes: Uint8Array.from(Buffer.from(text)) };
  return checkBlock({
    file: "a",
    block,
    input: 0,
    type: undefined,
    severities: profiles.strict,
    maxErrors: 10,
    ...options,
  }).tally;
}

test("what is wrong with the lines of a block, at their places in the file", () => {
  const { records, bytes, findings, found } = check(`${good}\n\n${bad}\nNaN\n`);
  expect([records, bytes, found]).toEqual([
    3,
    good.length + bad.length + 3,
    { error: 2, warning: 0 },
  ]);
  expect(findings.map(({ id, file, line }) => `${file}:${line} ${id}`)).toEqual([
    "a:13 enum",
    "a:14 json",
  ]);
});

test("a type that is given is not inferred", () => {
  expect(check(`${good}\n`).found.error).toBe(0);
  expect(check(`${good}\n`, { type: "PpoRecord" }).found.error).toBeGreaterThan(0);
});

test("no more findings are listed than asked for", () => {
  const { findings, found } = check(`${bad}\n`.repeat(5), { maxErrors: 2 });
  expect([findings.length, found.error]).toEqual([2, 5]);
});

test("a line that is too long to be held", () => {
  const tally = check("", { block: { line: 2, offset: 9, bytes: undefined } });
  expect(tally).toMatchObject({ records: 1, bytes: 0, findings: [{ id: "json", line: 2 }] });
});

test("nothing", () => {
  expect(check("")).toMatchObject({ records: 0, findings: [], found: { error: 0, warning: 0 } });
});

// A branch is mostly judged by its outline: that must tell the same as the whole record.
test("every fixture, and every mutation of one, is judged as it is by itself", () => {
  const { records } = createCorpus(HOME, { records: 0, withManyChanges: 500 }, 1);
  let outlined = 0;
  for (const { type, text } of records) {
    if (text.includes("\n")) continue;
    const bytes = Buffer.from(text);
    const source = { line: 11, offset: 1000, stored: bytes, bytes };
    const line = toRecordLine("a", source);
    const findings = new FindingList({ maxErrors: 10 });
    findings.addChecked(line, checkRecord(line, type));
    expect(check(text, { type })).toEqual(findings.toTally());
    if (new OutlineReader().read("a", source).outline !== undefined) outlined += 1;
  }
  expect(outlined).toBeGreaterThan(1000);
});
