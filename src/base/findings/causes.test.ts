import { expect, test } from "vitest";
import { CauseCounts, causeOf } from "./causes.js";

const finding = {
  id: "enum",
  severity: "error",
  file: "a.jsonl",
  pointer: "/turns/0/x",
  message: 'must be 0 or 1, is "a"',
  cause: "must be 0 or 1",
} as const;
const cause = causeOf(finding);

test.each([
  [{ pointer: "/turns/12/x" }, true],
  [{ message: "must be 0 or 1, is 7.5" }, true],
  [{ pointer: "/turns/0/y" }, false],
  [{ cause: "must be 0" }, false],
  [{ file: "b.jsonl" }, false],
  [{ id: "type" }, false],
  [{ severity: "warning" } as const, false],
])("%j", (changes, isSame) => {
  expect(causeOf({ ...finding, ...changes }) === cause).toBe(isSame);
});

test("the message is the cause of a finding that names none", () => {
  const ofMessage = (message: string) => causeOf({ ...finding, message, cause: undefined });
  expect(ofMessage('lacks "a"')).not.toBe(ofMessage('lacks "b"'));
  expect(ofMessage("must be 0 or 1")).toBe(cause);
});

test("memory is bounded", () => {
  const counts = new CauseCounts();
  for (let at = 0; at < 5000; at += 1) counts.add(String(at));
  counts.add("0");
  expect([counts.counts.size, counts.counts.get("0")]).toEqual([1000, 2]);
});
