import { expect, test } from "vitest";
import { MAX_NESTING } from "../../export/find-unexportable.js";
import { createBranch } from "../../export/testing/create-branch.js";
import { measureValue } from "../../json/value.js";
import { checkExportable } from "./check-exportable.js";

function check(branch: object) {
  return checkExportable(branch, measureValue(branch));
}

/** A branch with arguments that end so many levels below its root. */
function createNested(depth: number): object {
  const levels = depth - ["branch", "tool_call_sequence", "event", "data"].length;
  const args: unknown = JSON.parse("[".repeat(levels) + "]".repeat(levels));
  return createBranch({
    tool_call_sequence: [{ event: "tool_call", data: { toolName: "f", args } }],
  });
}

test("a branch that can be exported has no fault", () => {
  expect(check(createBranch())).toEqual([]);
  expect(check(createNested(MAX_NESTING))).toEqual([]);
});

test("a number beyond doubles is an error with its place", () => {
  expect(check(createBranch({ temperature: Number.POSITIVE_INFINITY }))).toMatchObject([
    { id: "number-range", severity: "error", pointer: "/temperature" },
  ]);
});

test("so is nesting that Python's reader gives up on", () => {
  expect(check(createNested(MAX_NESTING + 1))).toMatchObject([
    { id: "nesting-depth", severity: "error", pointer: "/tool_call_sequence/0/data/args" },
  ]);
});
