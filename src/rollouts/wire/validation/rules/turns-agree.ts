import { isRolloutBranch, type Message, type RolloutBranch } from "#generated/index.js";
import { isSameJson } from "../../../../base/json/equality.js";
import { findUnexportable } from "../../../../base/json/unexportable.js";
import { formatCount, previewValue } from "../../../../base/text.js";
import { toArguments } from "../../conversation/messages.js";
import { type PlacedCall, readEventCalls, readMessageCalls } from "../calls.js";
import { isBranchType } from "../structure.js";
import type { RecordRule, RuleFault } from "./rule.js";

/**
 * Conversations are built from `turns`; scores and flat records from the other fields. If the two describe
 * different runs, a conversation gets a reward that it did not earn. Of the calls, only the first difference is
 * reported. `BranchReader` parses the tool events of branches with turns.
 */
export const turnsAgree = {
  id: "turns-agree",
  purpose: "turns begin after the task, and have the final answer and the calls of the tool events",
  scope: "record",
  check(record, type) {
    // Most branches have no turns.
    if (record.turns === undefined || !isBranchType(type) || !isRolloutBranch(record)) return [];
    const { turns = [] } = record;
    return [
      ...findTask(record, turns),
      ...findOtherAnswer(record, turns),
      ...findOtherCall(record, turns),
    ];
  },
} as const satisfies RecordRule;

function findTask(
  { task, task_role: role = "user" }: RolloutBranch,
  [first]: readonly Message[],
): RuleFault[] {
  if (first?.role !== role || first.content !== task) return [];
  return [{ pointer: "/turns/0", message: "repeats the task: turns begin after the task" }];
}

/** A branch that crashed has an empty final answer, whatever it said before. */
function findOtherAnswer(
  { final_answer: answer }: RolloutBranch,
  turns: readonly Message[],
): RuleFault[] {
  if (answer === "") return [];
  const last = turns.findLastIndex(({ role, content }) => role === "assistant" && content !== "");
  const content = turns[last]?.content;
  if (content === answer) return [];
  const message =
    content === undefined
      ? "is not in turns, where no assistant message has content"
      : `is not the last assistant message with content, /turns/${last}: ${previewValue(content)}`;
  const cause = content === undefined ? "no content" : "other content";
  return [{ pointer: "/final_answer", message, cause }];
}

function findOtherCall(branch: RolloutBranch, turns: readonly Message[]): RuleFault[] {
  const told = readMessageCalls(turns, "/turns");
  const logged = readEventCalls(branch.tool_call_sequence);
  for (const [index, call] of told.entries()) {
    const event = logged[index];
    const fault =
      event === undefined
        ? findExtra("tool_call_sequence", call, index, logged.length)
        : compareCalls(call, event, index);
    if (fault !== undefined) return [fault];
  }
  return logged
    .slice(told.length, told.length + 1)
    .map((event) => findExtra("turns", event, told.length, told.length));
}

/** A call that `other` lacks. */
function findExtra(
  other: "turns" | "tool_call_sequence",
  { pointer, name }: PlacedCall,
  index: number,
  count: number,
): RuleFault {
  const message = `${nameCall(index)}, ${previewValue(name)}, is not in ${other}: ${formatCount(count, "call")} there`;
  return { pointer, message };
}

function compareCalls(call: PlacedCall, event: PlacedCall, index: number): RuleFault | undefined {
  const there = `in ${event.pointer}`;
  if (call.name !== event.name) {
    const message = `${nameCall(index)} is ${previewValue(call.name)} here and ${previewValue(event.name)} ${there}`;
    return { pointer: `${call.pointer}/function/name`, message };
  }
  if (hasSameArguments(call, event)) return undefined;
  const message = `${nameCall(index)}, ${previewValue(call.name)}, has other arguments ${there}`;
  return { pointer: `${call.pointer}/function/arguments`, message };
}

/** People count from 1. */
function nameCall(index: number): string {
  return `call ${index + 1}`;
}

function hasSameArguments({ args: one }: PlacedCall, { args: other }: PlacedCall): boolean {
  return isSameJson(one, other) || isSameJson(normalise(one), normalise(other));
}

/** As the exporter writes them. A list that is nested too deeply for that is never exported. */
function normalise(args: unknown): unknown {
  return Array.isArray(args) && findUnexportable(args) !== undefined ? args : toArguments(args);
}
