import { expect, test } from "vitest";
import { findDisagreements } from "./find-disagreements.js";
import type { Fault, Verdict } from "./protocol.js";

const request = { id: 0, type: "Task", recordText: '""' };

function verdict(...errors: Fault[]): Verdict {
  return { id: 0, valid: errors.length === 0, errors };
}

const minLength = { pointer: "", keyword: "minLength" };
const type = { pointer: "", keyword: "type" };

test("the same faults in another order, or twice, are agreement", () => {
  const left = [verdict(minLength, type)];
  expect(findDisagreements([request], left, [verdict(type, minLength, type)])).toEqual([]);
});

test.each([
  ["another verdict", verdict(minLength), verdict()],
  ["another keyword", verdict(minLength), verdict(type)],
  ["another place", verdict(minLength), verdict({ ...minLength, pointer: "/a" })],
  ["one fault fewer", verdict(minLength, type), verdict(type)],
])("%s is a disagreement", (_, left, right) => {
  expect(findDisagreements([request], [left], [right])).toEqual([{ request, left, right }]);
});

test("a missing verdict is a bug, not agreement", () => {
  expect(() => findDisagreements([request], [verdict()], [])).toThrow("no verdict on record 0");
});
