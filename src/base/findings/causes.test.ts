import { expect, test } from "vitest";
import { CauseCounts, causeOf } from "./causes.js";

const finding = {
  id: "enum",
  severity: "error",
  file: "a.jsonl",
  pointer: "/turns/0/x",
  message: 'must be 0 or 1, is "a"',
} as const;
const cause = causeOf(finding);

test.each([
  [{ pointer: "/turns/12/x" }, true],
  [{ message: "must be 0 or 1, is 7.5" }, true],
  [{ message: "must be 0 or 1, is an object" }, true],
  [{ message: 'must be 0 or 1, is "a \\"quoted\\" text"' }, true],
  [{ pointer: "/turns/0/y" }, false],
  [{ message: "must be 0" }, false],
  [{ file: "b.jsonl" }, false],
  [{ id: "type" }, false],
  [{ severity: "warning" } as const, false],
])("%j", (changes, isSame) => {
  expect(causeOf({ ...finding, ...changes }) === cause).toBe(isSame);
});

test("names in quotes are different causes, hashes are not", () => {
  const ofMessage = (message: string) => causeOf({ ...finding, message });
  expect(ofMessage('lacks "field1"')).not.toBe(ofMessage('lacks "field2"'));
  expect(ofMessage("is 52cb6b5e4a038af1, task gives dc4044807ce05356")).toBe(
    ofMessage("is 62cb6b5e4a038af1, task gives ec4044807ce05356"),
  );
});

test("memory is bounded", () => {
  const counts = new CauseCounts();
  for (let at = 0; at < 5000; at += 1) counts.add(String(at));
  counts.add("0");
  expect([counts.counts.size, counts.counts.get("0")]).toEqual([1000, 2]);
});
