import {
  type Message,
  ROLLOUT_BRANCH_SCHEMA_VERSION,
  type RolloutBranch,
  type RolloutTraceStep,
  type ToolEvent,
  type ToolEventData,
} from "#generated/index.js";
import { pointerTokens } from "../../../../base/json/pointer.js";
import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { toMessages } from "../../../wire/conversation/conversation.js";
import type { ImportedBranch, ImportFault } from "../reader.js";
import type { RunEnd } from "../verdicts/run-end.js";
import type { ScoreFields } from "../verdicts/scores.js";
import type { Answered } from "./conversation.js";
import type { RowIssues } from "./issues.js";
import type { PlacedMessage } from "./pair-messages.js";

/** The parts of a branch that are not its conversation. */
export interface BranchFrame {
  readonly rolloutId: string;
  readonly branchIndex: number;
  readonly sessionId: string;
  readonly temperature: number;
  /** Undefined if the row has none. */
  readonly seed?: number | undefined;
  readonly scores: ScoreFields;
  /** Undefined unless traces are requested. */
  readonly steps?: readonly RolloutTraceStep[] | undefined;
  /** Where the branch comes from: `imported_from`. */
  readonly origin: JsonObject;
  /** Its warnings and counts. Faults were reported before. */
  readonly issues: RowIssues;
  /** Warnings beside those of the conversation. Default: none. */
  readonly warnings?: readonly ImportFault[];
  readonly end?: RunEnd | undefined;
  /** Number of steps that do not belong to the branch. Default: 0. */
  readonly skippedSteps?: number;
  /** Converts pointers into fields that only one source has. Undefined for any other pointer. */
  toOwnPointer?(pointer: string): string | undefined;
}

/** Builds a branch from a row. Its `turns` are left out if task, tool events and final answer express them. */
export function toBranch(conversation: Answered, frame: BranchFrame): ImportedBranch {
  const { before, task, turns, tools } = conversation;
  const messages = turns.map(({ message }) => message);
  const finalAnswer = findFinalAnswer(messages);
  const events = toEvents(turns, finalAnswer === "" ? -1 : findLastSaid(messages));
  const context = {
    ...(before.length > 0 && { messages: before.map(({ message }) => message) }),
    ...(tools !== undefined && { tools: [...tools] }),
  };
  const branch: RolloutBranch = {
    schema_version: ROLLOUT_BRANCH_SCHEMA_VERSION,
    rollout_id: frame.rolloutId,
    task: task.message.content,
    branch_index: frame.branchIndex,
    temperature: frame.temperature,
    session_id: frame.sessionId,
    tool_call_sequence: events.map(({ event }) => event),
    final_answer: finalAnswer,
    ...frame.scores,
    ...(frame.seed !== undefined && { seed: frame.seed }),
    ...(frame.steps && { steps: [...frame.steps] }),
  };
  const isDerived = areEqual(toMessages(branch).slice(1), messages);
  const pointers = events.map(({ pointer }) => pointer);
  return {
    kind: "branch",
    branch: {
      ...branch,
      ...(Object.keys(context).length > 0 && { context }),
      ...(!isDerived && { turns: messages }),
      imported_from: frame.origin,
    },
    warnings: [
      ...(frame.warnings ?? []),
      ...frame.issues.warnings,
      ...findNoAnswer(finalAnswer, task),
    ],
    tally: frame.issues.tally,
    end: frame.end,
    skippedSteps: frame.skippedSteps ?? 0,
    toSourcePointer: (pointer) =>
      frame.toOwnPointer?.(pointer) ?? toSourcePointer(pointer, conversation, pointers),
  };
}

/** The last message in which the agent says anything at all; -1 if there is none. */
function findLastSaid(turns: readonly Message[]): number {
  return turns.findLastIndex(({ role, content }) => role === "assistant" && content !== "");
}

/** The last text of the agent; empty if there is none, or only white space. */
function findFinalAnswer(turns: readonly Message[]): string {
  const answer = turns[findLastSaid(turns)]?.content ?? "";
  return answer.trim() === "" ? "" : answer;
}

function findNoAnswer(finalAnswer: string, task: PlacedMessage): ImportFault[] {
  if (finalAnswer !== "") return [];
  const message = "the agent says nothing after its task: the final answer is empty";
  return [{ id: "no-answer", pointer: task.pointer, message }];
}

interface PlacedEvent {
  readonly event: ToolEvent;
  readonly pointer: string;
}

/** The calls and results of the turns as tool events. The text of the turn `answer` is not repeated. */
function toEvents(turns: readonly PlacedMessage[], answer: number): PlacedEvent[] {
  return turns.flatMap(({ message, output, failed, ...places }, index): PlacedEvent[] => {
    const { role, content, tool_calls: calls = [], tool_call_id: callId, name } = message;
    if (role === "tool") {
      const data = {
        ...(callId !== undefined && { callId }),
        ...(name !== undefined && { toolName: name }),
        output,
        ...(failed && { error: content === "" ? "error" : content }),
      };
      return [{ event: toEvent("tool_result", data), pointer: places.pointer }];
    }
    return calls.map(({ id, function: { name: toolName, arguments: args } }, ordinal) => {
      const said = ordinal === 0 && content !== "" && index !== answer && { text: content };
      const data = { toolName, args, callId: id, batchId: `turn-${index}`, ...said };
      return {
        event: toEvent("tool_call", data),
        pointer: places.callPointers[ordinal] ?? places.pointer,
      };
    });
  });
}

function toEvent(event: "tool_call" | "tool_result", data: ToolEventData): ToolEvent {
  return { event, channel: "tool", data };
}

/** Compares conversations word by word. Ids of calls are equal if they name the same calls. */
function areEqual(one: readonly Message[], other: readonly Message[]): boolean {
  return one.length === other.length && toComparable(one) === toComparable(other);
}

function toComparable(messages: readonly Message[]): string {
  const ids = new Map<string, number>();
  const ordinalOf = (id: string): number => {
    const known = ids.get(id) ?? ids.size;
    ids.set(id, known);
    return known;
  };
  const parts = messages.map((message) => [
    message.role,
    message.content,
    message.reasoning_content ?? null,
    (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => [
      ordinalOf(id),
      name,
      args,
    ]),
    message.tool_call_id === undefined ? null : ordinalOf(message.tool_call_id),
    message.name ?? null,
  ]);
  return JSON.stringify(parts);
}

/** Converts a pointer into the branch to the place in the row from which the value was read. */
function toSourcePointer(
  pointer: string,
  { before, task, turns, pointer: whole }: Answered,
  eventPointers: readonly string[],
): string {
  const [field, index = "", ...below] = pointerTokens(pointer);
  const messageAt = (message: PlacedMessage | undefined, key: string | undefined): string =>
    (key === "content" ? message?.contentPointer : message?.pointer) ?? whole;
  if (field === "task") return task.contentPointer;
  if (field === "final_answer") {
    return messageAt(turns[findLastSaid(turns.map(({ message }) => message))], "content");
  }
  if (field === "turns") return messageAt(turns[Number(index)], below[0]);
  if (field === "context" && index === "messages") {
    return messageAt(before[Number(below[0])], below[1]);
  }
  if (field === "tool_call_sequence") return eventPointers[Number(index)] ?? whole;
  if (field !== "imported_from" || index !== "record") return "";
  return pointer
    .split("/")
    .slice(3)
    .map((token) => `/${token}`)
    .join("");
}

/** A copy of a row without the values at some pointers. */
export function withoutValues(row: JsonObject, pointers: readonly string[]): JsonObject {
  return pointers.reduce<JsonObject>(
    (rest, pointer) => withoutValue(rest, pointerTokens(pointer)),
    row,
  );
}

function withoutValue(owner: JsonObject, [key = "", ...below]: readonly string[]): JsonObject {
  if (!Object.hasOwn(owner, key)) return owner;
  const { [key]: value, ...rest } = owner;
  if (below.length === 0) return rest;
  return isJsonObject(value) ? { ...owner, [key]: withoutValue(value, below) } : owner;
}
