import fc from "fast-check";
import type { ObjectiveScore, ObjectiveStatus } from "#generated/index.js";
import { createBranch } from "./create-branch.js";
import { createEvent } from "./create-event.js";

const json = fc.jsonValue({ maxDepth: 2 });
const text = fc.oneof(fc.string({ unit: "binary" }), fc.constant(""));
const toolEvent = fc
  .record(
    {
      event: fc.constantFrom("tool_call", "tool_result"),
      data: fc.record(
        { toolName: text, name: json, args: json, callId: text, output: json, error: json, text },
        { requiredKeys: [] },
      ),
      tool_name: json,
      args: json,
      arguments: fc.oneof(json, fc.json()),
      result: json,
      error: json,
      call_id: json,
      batch_id: json,
      text: json,
    },
    { requiredKeys: [] },
  )
  .map(createEvent);

/** Valid branches of a few rollouts, with tool events in every dialect and in none. */
export const branchArbitrary = fc
  .record({
    rollout_id: fc.constantFrom("a", "b", "c"),
    task: fc.string({ unit: "binary", minLength: 1 }),
    branch_index: fc.nat(5),
    tool_call_sequence: fc.array(toolEvent, { maxLength: 6 }),
    final_answer: text,
    objective_score: fc.constantFrom<ObjectiveScore[]>(0, 1),
    objective_status: fc.constantFrom<ObjectiveStatus[]>("pass", "fail", "unknown"),
    rank: fc.integer({ min: 1, max: 5 }),
    total_score: fc.double({ min: -5, max: 5, noNaN: true }),
  })
  .map((fields) => createBranch(fields));
