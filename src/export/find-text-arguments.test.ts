import { expect, test } from "vitest";
import { findTextArguments } from "./find-text-arguments.js";
import { createBranch } from "./testing/create-branch.js";
import { createEvent } from "./testing/create-event.js";

test.each([
  [{}, undefined],
  ['{"a": 1}', undefined],
  [null, undefined],
  ['{"a": ', "text-arguments"],
  [[1], "text-arguments"],
])("arguments %j", (args, found) => {
  const events = [{}, args].map((each) => createEvent({ tool_name: "f", args: each, result: 1 }));
  expect(findTextArguments(createBranch({ tool_call_sequence: events }))).toBe(found);
});
