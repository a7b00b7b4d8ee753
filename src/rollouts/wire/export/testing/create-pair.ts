import type { PreferencePair } from "../selection.js";
import { createBranch } from "./create-branch.js";
import { createEvent } from "./create-event.js";

/** A pair whose branches called tools: two in parallel, then one with text arguments. They part in their answers. */
export function createPair(): PreferencePair {
  const call = (callId: string, args: unknown, batchId: string, text = "") =>
    createEvent({ event: "tool_call", data: { toolName: "add", args, callId, batchId, text } });
  const result = (callId: string, output: unknown) =>
    createEvent({ event: "tool_result", data: { toolName: "add", callId, output } });
  const tool_call_sequence = [
    call("c1", { a: 2, b: 2 }, "t1", "Let me see."),
    call("c2", { a: null }, "t1"),
    result("c2", null),
    result("c1", { sum: 4 }),
    call("c3", '{"a": ', "t2"),
    result("c3", "no JSON"),
  ];
  return {
    chosen: createBranch({ tool_call_sequence }),
    rejected: createBranch({
      tool_call_sequence,
      branch_index: 1,
      final_answer: "",
      objective_score: 0,
      rank: 2,
      total_score: 0.13,
    }),
  };
}
