import { expect, test } from "vitest";
import { findErrors, isDpoRecord, isTask } from "#generated/index.js";

test("a million faults are all found, in linear time", () => {
  const record = { tool_call_sequence: Array(1_000_000).fill(0) };
  const errors = findErrors("RolloutBranch", record).filter(({ keyword }) => keyword === "type");
  expect(errors.length).toBe(1_000_000);
  expect(errors.at(-1)).toMatchObject({ pointer: "/tool_call_sequence/999999" });
});

test("calls do not share their faults", () => {
  const first = findErrors("RolloutBranch", { tool_call_sequence: [0, 1] });
  const copy = structuredClone(first);
  findErrors("RolloutBranch", { tool_call_sequence: [2, 3, 4] });
  expect(first).toEqual(copy);
});

test("guards can be passed to array methods", () => {
  expect(["a", "", 1, "b"].filter(isTask)).toEqual(["a", "b"]);
  expect([{}, null].filter(isDpoRecord)).toEqual([]);
});

test("an unknown definition is a programming error", () => {
  // @ts-expect-error: no definition has this name
  expect(() => findErrors("Nope", {})).toThrow(TypeError);
});
