import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ParsedRecord } from "../jsonl/reader.js";
import { causeOf } from "./causes.js";
import type { RecordFault } from "./finding.js";
import { type FindingLimits, FindingList, toPartLimits } from "./finding-list.js";

const line: ParsedRecord = {
  file: "a.jsonl",
  line: 3,
  byteLength: 9,
  text: '{"a": 1 }',
  value: { a: 1 },
};
const error: RecordFault = { id: "enum", severity: "error", pointer: "/a", message: "wrong" };
const warning: RecordFault = { ...error, id: "a-rule", severity: "warning" };

function createList(limits: Partial<FindingLimits> = {}): FindingList {
  return new FindingList({ maxErrors: 100, ...limits });
}

test("findings with their places, and the counts", () => {
  const list = createList();
  list.addChecked(line, [error, warning]);
  list.addChecked({ ...line, line: 4 }, []);
  const fault = { id: "json", column: 7, message: "not JSON" } as const;
  list.addChecked({ file: "a.jsonl", line: 5, byteLength: 2, fault }, [{ ...error, pointer: "" }]);
  list.addToFile("b.jsonl", "no-records", "empty");
  const { version, ...report } = list.toReport("validate");
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
  expect(report).toEqual({
    command: "validate",
    checked: 3,
    thing: "record",
    findings: [
      { ...error, file: "a.jsonl", line: 3, column: 7 },
      { ...warning, file: "a.jsonl", line: 3, column: 7 },
      { ...error, pointer: "", file: "a.jsonl", line: 5, column: 7 },
      {
        id: "no-records",
        severity: "error",
        file: "b.jsonl",
        line: 1,
        column: 1,
        pointer: "",
        message: "empty",
      },
    ],
    found: { error: 3, warning: 1 },
    notListed: { error: 0, warning: 0 },
    unlistedCauses: new Map(),
  });
  expect([list.records, list.bytes, list.warningIds]).toEqual([3, 20, ["a-rule"]]);
});

test("a known column is not looked up", () => {
  const list = createList();
  list.addChecked(line, [{ ...error, column: 2 }, error]);
  list.add(line, [{ ...error, column: 3 }]);
  const columns = list.toReport("validate").findings.map(({ column }) => column);
  expect(columns).toEqual([2, 7, 3]);
});

test("`isListing` says whether the next finding may be listed", () => {
  const list = createList({ maxErrors: 1 });
  expect(list.isListing).toBe(true);
  list.addChecked(line, [error]);
  expect(list.isListing).toBe(true);
  list.addChecked(line, [warning]);
  expect(list.isListing).toBe(false);
});

test("limits apply to listed findings, per severity, and not to counts", () => {
  const list = createList({ maxErrors: 1 });
  for (let at = 0; at < 3; at += 1) list.addChecked(line, [error, warning]);
  list.addToFile("b.jsonl", "no-records", "empty");
  const { findings, found, notListed } = list.toReport("validate");
  expect(findings.map(({ severity }) => severity)).toEqual(["error", "warning"]);
  expect(found).toEqual({ error: 4, warning: 3 });
  expect(notListed).toEqual({ error: 3, warning: 2 });
});

test("findings that are not listed are counted by cause", () => {
  const list = createList({ maxErrors: 1 });
  const cause = "must be 0 or 1";
  for (const fault of [
    { message: "must be 0 or 1, is 7", cause },
    { message: "must be 0 or 1, is 8", cause },
    { message: 'lacks "a"' },
    { message: 'lacks "b"' },
  ]) {
    list.addChecked(line, [{ ...error, ...fault }]);
  }
  const { unlistedCauses = new Map() } = list.toReport("validate");
  expect([...unlistedCauses.values()]).toEqual([1, 1, 1]);
  const first = { ...error, file: line.file, message: "must be 0 or 1, is 9", cause };
  expect(unlistedCauses.get(causeOf(first))).toBe(1);
  const none = createList({ maxErrors: 0 });
  none.addChecked(line, [error]);
  expect(none.toReport("validate").unlistedCauses?.size).toBe(0);
});

test("warnings beyond the limit become errors", () => {
  const list = createList({ maxWarnings: 1 });
  list.addChecked(line, [warning, warning]);
  expect([list.warnings, list.errors]).toEqual([1, 1]);
  expect(list.toReport("validate").findings.map(({ severity }) => severity)).toEqual([
    "warning",
    "error",
  ]);
});

test("findings in many or long lines have the same columns", () => {
  const long = { ...line, text: `{"a":"${"x".repeat(2 ** 19)}","b":1}` };
  const list = createList({ maxErrors: 9 });
  for (let at = 0; at < 5; at += 1) list.addChecked(long, [{ ...error, pointer: "/b" }]);
  const kept = list.toTally().findings.filter(({ unlocated }) => unlocated);
  expect(kept).toHaveLength(1);
  const columns = list.toReport("validate").findings.map(({ column }) => column);
  expect(columns).toEqual(Array.from({ length: 5 }, () => long.text.indexOf("1}") + 1));
});

describe("a list built from the tallies of parts", () => {
  const limits = fc.record({
    maxErrors: fc.nat(5),
    maxWarnings: fc.option(fc.nat(5), { nil: undefined }),
  });
  const fault = fc.record({
    id: fc.constantFrom("x", "y", "z"),
    severity: fc.constantFrom("error" as const, "warning" as const),
    pointer: fc.constantFrom("", "/a"),
    message: fc.constantFrom("wrong", "worse"),
  });
  const parts = fc.array(fc.array(fc.array(fault, { maxLength: 4 }), { maxLength: 5 }), {
    maxLength: 5,
  });

  test("equals a list of everything, however the input is split", () => {
    fc.assert(
      fc.property(limits, parts, fc.nat(3), (limits, parts, ahead) => {
        const begun: FindingLimits[] = [];
        const whole = new FindingList(limits);
        const joined = new FindingList(limits);
        for (const faults of parts) {
          // The limits of a part are set when its work begins, at most so many parts before it is added.
          const part = new FindingList(begun.shift() ?? toPartLimits(limits));
          if (begun.length < ahead) begun.push(joined.partLimits);
          for (const each of faults) {
            whole.addChecked(line, each);
            part.addChecked(line, each);
          }
          joined.addTally(structuredClone(part.toTally()));
        }
        expect(joined.toReport("validate")).toEqual(whole.toReport("validate"));
        expect([joined.bytes, joined.warningIds]).toEqual([whole.bytes, whole.warningIds]);
      }),
    );
  });

  test("lists or counts every finding", () => {
    fc.assert(
      fc.property(limits, limits, parts, (limits, partLimits, parts) => {
        const joined = new FindingList(limits);
        for (const faults of parts) {
          const part = new FindingList(partLimits);
          for (const each of faults) part.addChecked(line, each);
          joined.addTally(part.toTally());
        }
        const { findings, found, notListed } = joined.toReport("validate");
        for (const severity of ["error", "warning"] as const) {
          const listed = findings.filter((finding) => finding.severity === severity).length;
          expect(listed + notListed[severity]).toBe(found[severity]);
          expect(listed).toBeLessThanOrEqual(limits.maxErrors);
        }
      }),
    );
  });

  test("lists excess warnings as errors, wherever the parts begin", () => {
    const joined = createList({ maxErrors: 2, maxWarnings: 2 });
    const part = new FindingList(toPartLimits(joined.limits));
    for (let at = 0; at < 5; at += 1) part.addChecked(line, [warning]);
    joined.addTally(part.toTally());
    const { findings, found, notListed } = joined.toReport("validate");
    expect(findings.map(({ severity }) => severity)).toEqual([
      "warning",
      "warning",
      "error",
      "error",
    ]);
    expect([found, notListed]).toEqual([
      { error: 3, warning: 2 },
      { error: 1, warning: 0 },
    ]);
  });
});

test("`addIfListed` counts every finding, and builds only the first ones", () => {
  const list = createList({ maxErrors: 1, maxWarnings: 1 });
  const built: string[] = [];
  const add = (id: string, severity: "error" | "warning") =>
    list.addIfListed({ id, severity }, () => {
      built.push(id);
      return { file: "a.json", line: 1, column: 1, id, severity, pointer: "", message: id };
    })?.severity;
  expect([add("a", "warning"), add("b", "warning"), add("c", "error")]).toEqual([
    "warning",
    "error",
    undefined,
  ]);
  expect(built).toEqual(["a", "b"]);
  expect(list.toReport("diff")).toMatchObject({
    findings: [{ id: "a" }, { id: "b" }],
    found: { error: 2, warning: 1 },
    notListed: { error: 1, warning: 0 },
  });
});

describe("addNoRecords", () => {
  function messages(checked: number, rejected?: number): string[] {
    const findings = createList();
    for (let count = 0; count < checked; count += 1) findings.addChecked(line, []);
    findings.addNoRecords(["a", "-"], rejected);
    expect(findings.errors).toBe(findings.toReport("export").findings.length);
    return findings
      .toReport("export")
      .findings.map(({ id, file, message }) => `${file} ${id}: ${message}`);
  }

  test("no error if something was checked", () => {
    expect(messages(1)).toEqual([]);
    expect(messages(3, 2)).toEqual([]);
  });

  test("one error per file without records", () => {
    expect(messages(0)).toEqual([
      "a no-records: contains no records: nothing was checked",
      "<stdin> no-records: contains no records: nothing was checked",
    ]);
  });

  test("one error per file if all records were omitted", () => {
    expect(messages(2, 2)).toEqual([
      "a no-records: contains no valid records: all were skipped",
      "<stdin> no-records: contains no valid records: all were skipped",
    ]);
  });
});
