import { expect, test } from "vitest";
import type { AdapterFault, AdapterVerdict } from "#generated/index.js";
import { compareVerdicts } from "./disagreements.js";

function verdict(...errors: AdapterFault[]): AdapterVerdict {
  return { id: 0, valid: errors.length === 0, errors };
}

const minLength = { pointer: "", keyword: "minLength" };
const type = { pointer: "", keyword: "type" };

test("order and duplicates of faults do not matter", () => {
  expect(compareVerdicts(verdict(minLength, type), verdict(type, minLength, type))).toBeUndefined();
  expect(compareVerdicts(verdict(), verdict())).toBeUndefined();
});

test.each([
  ["another verdict", verdict(minLength), verdict(), [minLength], []],
  ["another keyword", verdict(minLength), verdict(type), [minLength], [type]],
  [
    "another place",
    verdict(minLength),
    verdict({ ...minLength, pointer: "/a" }),
    [minLength],
    [{ ...minLength, pointer: "/a" }],
  ],
  ["one fault fewer", verdict(minLength, type), verdict(type), [minLength], []],
])("%s is a disagreement", (_, left, right, leftOnly, rightOnly) => {
  expect(compareVerdicts(left, right)).toEqual({ left, right, leftOnly, rightOnly });
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
