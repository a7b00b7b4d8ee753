import fc from "fast-check";
import type { Message, RolloutBranchRecord } from "#generated/index.js";
import { createBranch } from "./create-branch.js";

const words = fc.constantFrom("", "a", "b");
const args = fc.constantFrom<({ [name: string]: unknown } | string)[]>(
  {},
  { x: 1 },
  { x: -0 },
  "{",
);

/** What one turn of a run is made of. Few values, so that runs often agree. */
const step = fc.record({
  kind: fc.constantFrom("call", "call", "two calls", "text", "user", "unanswered", "stray"),
  text: words,
  args,
  output: words,
  thought: fc.constantFrom(undefined, undefined, "hm"),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** The messages of a run. Every run has its own call ids. */
function toTurns(steps: readonly Step[], answer: string, run: string): Message[] {
  const turns = steps.flatMap(({ kind, text, args: given, output, thought }, index): Message[] => {
    const call = (suffix: string) => ({
      id: `${run}-${index}${suffix}`,
      type: "function" as const,
      function: { name: "f", arguments: given },
    });
    const result = (suffix: string): Message => ({
      role: "tool",
      content: output,
      tool_call_id: `${run}-${index}${suffix}`,
    });
    const said: Message = {
      role: "assistant",
      content: text,
      ...(thought !== undefined && { reasoning_content: thought }),
    };
    switch (kind) {
      case "call":
        return [{ ...said, tool_calls: [call("")] }, result("")];
      case "two calls":
        return [{ ...said, tool_calls: [call("a"), call("b")] }, result("a"), result("b")];
      case "unanswered":
        return [{ ...said, tool_calls: [call("")] }];
      case "text":
        return [said];
      case "user":
        return [said, { role: "user", content: output }];
      default:
        return [result("?")];
    }
  });
  return [...turns, { role: "assistant", content: answer }];
}

const run = fc.record({
  /** Steps of the common beginning that this run keeps. */
  shared: fc.nat(4),
  own: fc.array(step, { maxLength: 3 }),
  answer: words,
  score: fc.constantFrom(0, 0.15, 0.5, 1.15),
  status: fc.constantFrom<NonNullable<RolloutBranchRecord["objective_status"]>[]>(
    "pass",
    "fail",
    "unknown",
  ),
  context: fc.constantFrom<RolloutBranchRecord["context"][]>(
    undefined,
    undefined,
    { messages: [{ role: "system", content: "s" }] },
    { tools: [{ type: "function", function: { name: "f", parameters: {} } }] },
  ),
});

/** Ranked rollouts of one to four branches, whose conversations often share a beginning. */
export const rolloutArbitrary = fc
  .record({
    beginning: fc.array(step, { maxLength: 4 }),
    runs: fc.array(run, { minLength: 1, maxLength: 4 }),
    /** Whether all branches have the context of the first one. */
    sameContext: fc.integer({ min: 0, max: 3 }).map((value) => value > 0),
  })
  .map(({ beginning, runs, sameContext }): RolloutBranchRecord[] =>
    runs
      .map(({ shared, own, answer, score, status, context }, index) => {
        const given = sameContext ? runs[0]?.context : context;
        return createBranch({
          rollout_id: "r",
          branch_index: index,
          final_answer: answer,
          total_score: score,
          objective_status: status,
          objective_score: status === "pass" ? 1 : 0,
          turns: toTurns([...beginning.slice(0, shared), ...own], answer, `run${index}`),
          ...(given !== undefined && { context: given }),
        });
      })
      .toSorted((a, b) => b.total_score - a.total_score || a.branch_index - b.branch_index)
      .map((branch, index) => ({ ...branch, rank: index + 1 })),
  );
