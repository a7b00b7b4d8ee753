import type { RolloutBranch } from "#generated/index.js";

/** How the turns of a branch disagree with its task, its tool events and its answer; undefined if they agree. */
export function findDisagreement(branch: RolloutBranch): string | undefined {
  const { task, turns, final_answer: answer, tool_call_sequence: events } = branch;
  if (turns === undefined) return undefined;
  const [first] = turns;
  if (first?.role === "user" && first.content === task) return "the first turn is the task";
  const said = turns.findLast(({ role, content }) => role === "assistant" && content !== "");
  if (answer !== "" && said?.content !== answer) return "the answer is not the last that was said";
  const inTurns = turns.flatMap(({ tool_calls: calls = [] }) =>
    calls.map(({ function: { name, arguments: args } }) => [name, args]),
  );
  const inEvents = events
    .filter(({ event }) => event === "tool_call")
    .map(({ data }) => [data?.toolName, data?.args]);
  return JSON.stringify(inTurns) === JSON.stringify(inEvents) ? undefined : "the calls differ";
}
