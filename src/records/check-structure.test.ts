import { expect, test } from "vitest";
import { checkStructure } from "./check-structure.js";

test("a valid record of the type that its shape suggests", () => {
  const record = {
    prompt: "What is 2+2?",
    completion: "four",
    reward: 0.8,
    tool_call_sequence: [],
    provenance: {
      source: "wasmagent-rollout",
      rollout_id: "agent-123-1700000000000",
      branch_index: 0,
      objective_score: 1,
      exported_at_ms: 1700000000000,
      n_gram_hash: "52cb6b5e4a038af1",
    },
  };
  expect(checkStructure(record)).toEqual({ type: "PpoRecord", faults: [] });
  expect(checkStructure(record, "DpoRecord")).toEqual({
    type: "DpoRecord",
    faults: [
      { id: "required", pointer: "", message: 'lacks "chosen"' },
      { id: "required", pointer: "", message: 'lacks "rejected"' },
      { id: "required", pointer: "/provenance", message: 'lacks "chosen_branch"' },
      { id: "required", pointer: "/provenance", message: 'lacks "rejected_branch"' },
      {
        id: "additionalProperties",
        pointer: "/provenance",
        message: 'has "branch_index", which is not allowed here',
      },
      {
        id: "type",
        pointer: "/provenance/objective_score",
        message: "must be an object, is 1",
      },
    ],
  });
});

test("a shape that says nothing asks for --type, and is checked when it is given", () => {
  expect(checkStructure({ prompts: {} })).toEqual({
    type: undefined,
    faults: [
      {
        id: "anyOf",
        pointer: "",
        message: "fits no record type by its fields: name one with --type",
      },
    ],
  });
  expect(checkStructure({ prompts: {} }, "RolloutTraceStep").faults).toEqual([]);
});
