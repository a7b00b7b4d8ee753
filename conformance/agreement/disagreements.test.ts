import { expect, test } from "vitest";
import type { AdapterFault, AdapterVerdict } from "#generated/index.js";
import { compareVerdicts, describeVerdict } from "./disagreements.js";

function verdict(...errors: AdapterFault[]): AdapterVerdict {
  return { id: 0, valid: errors.length === 0, errors };
}

const minLength = { pointer: "", keyword: "minLength" };
const type = { pointer: "", keyword: "type" };
const pattern = { pointer: "", keyword: "pattern" };

test("order and duplicates of faults do not matter", () => {
  expect(compareVerdicts(verdict(minLength, type), verdict(type, minLength, type))).toBeUndefined();
  expect(compareVerdicts(verdict(), verdict())).toBeUndefined();
});

test("what else is wrong with a value of the wrong type need not be said", () => {
  expect(compareVerdicts(verdict(type), verdict(type, minLength))).toBeUndefined();
  const elsewhere = { ...minLength, pointer: "/a" };
  expect(compareVerdicts(verdict(type), verdict(type, elsewhere))).toMatchObject({
    rightOnly: [elsewhere],
  });
});

test.each([
  ["another verdict", verdict(minLength), verdict(), [minLength], []],
  ["another keyword", verdict(minLength), verdict(pattern), [minLength], [pattern]],
  [
    "another place",
    verdict(minLength),
    verdict({ ...minLength, pointer: "/a" }),
    [minLength],
    [{ ...minLength, pointer: "/a" }],
  ],
  ["one fault fewer", verdict(minLength, pattern), verdict(pattern), [minLength], []],
  ["no fault of type", verdict(minLength), verdict(type), [], [type]],
])("%s is a disagreement", (_, left, right, leftOnly, rightOnly) => {
  const lone = { leftOnly, rightOnly, isExact: false };
  expect(compareVerdicts(left, right)).toEqual({ left, right, ...lone });
  // Generated code agrees in more, but in nothing less.
  expect(compareVerdicts(left, right, true)).toBeDefined();
});

test("generated code reports the same faults as often, in the same order", () => {
  const both = verdict(minLength, pattern);
  const reversed = verdict(pattern, minLength);
  expect(compareVerdicts(both, both, true)).toBeUndefined();
  expect(compareVerdicts(both, verdict(minLength, minLength, pattern), true)).toMatchObject({
    leftOnly: [],
    rightOnly: [minLength],
  });
  expect(compareVerdicts(both, reversed, true)).toMatchObject({
    leftOnly: [minLength],
    rightOnly: [pattern],
  });
  expect(describeVerdict(reversed, true)).toBe("invalid: (record) pattern, (record) minLength");
});

test("if one side reports only the verdict, only verdicts are compared", () => {
  expect(compareVerdicts(verdict(type), { id: 0, valid: false })).toBeUndefined();
  expect(compareVerdicts(verdict(type), { id: 0, valid: true })).toMatchObject({
    leftOnly: [type],
  });
  expect(compareVerdicts({ id: 0, valid: true }, { id: 0, valid: false })).toMatchObject({
    leftOnly: [],
  });
});
