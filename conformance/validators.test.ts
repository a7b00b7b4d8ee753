import { expect, test } from "vitest";
import { findErrors, isDpoRecord, isTask } from "#generated/index.js";
import { runCount } from "../src/testing/run-count.js";

test("very many faults are all found, in linear time", () => {
  const count = runCount(1_000_000, 100_000);
  const record = { tool_call_sequence: Array(count).fill(0) };
  const errors = findErrors("RolloutBranch", record).filter(({ keyword }) => keyword === "type");
  expect(errors.length).toBe(count);
  expect(errors.at(-1)).toMatchObject({ pointer: `/tool_call_sequence/${count - 1}` });
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
