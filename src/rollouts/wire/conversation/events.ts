import type { Open, ToolEvent } from "#generated/index.js";
import { isJsonObject } from "../../../base/json/value.js";

/** A call that the agent made, in any dialect. */
export interface ToolCall {
  readonly kind: "call";
  /** Index of its event. */
  readonly event: number;
  /** Position among the calls of the branch, from 0. */
  readonly ordinal: number;
  /** Captured id, not empty. Runtimes may repeat one within a branch. */
  readonly id: string | undefined;
  /** Name of the tool; "" if the event has none. */
  readonly name: string;
  /** Arguments as captured: any JSON value, undefined if there were none. */
  readonly args: unknown;
  /** Id of the turn that issued the call, not empty. */
  readonly batchId: string | undefined;
  /** The assistant's text in the turn that issued the call; "" if there was none. */
  readonly text: string;
}

/** What a tool returned, in any dialect. */
export interface ToolResult {
  readonly kind: "result";
  /** Index of its event. */
  readonly event: number;
  /** Captured id of the answered call, not empty. */
  readonly callId: string | undefined;
  /** Name of the tool, not empty. */
  readonly name: string | undefined;
  /** Output as captured: any JSON value, undefined if there was none. */
  readonly output: unknown;
  /** Error as captured; undefined if there was none. */
  readonly error: unknown;
  /** The call, if one event contained both. */
  readonly answers: ToolCall | undefined;
}

export type ToolAct = ToolCall | ToolResult;

interface ToolEventReading {
  /** Calls and results in event order. */
  readonly acts: readonly ToolAct[];
  /** Indices of events that are neither calls nor results. */
  readonly unreadable: readonly number[];
}

/**
 * Spellings of each field; the format's own comes first. The nested dialects differ in `name`; the flat one is
 * snake_case.
 */
const SPELLINGS = {
  name: ["toolName", "name", "tool_name"],
  args: ["args", "arguments"],
  output: ["output", "result"],
  error: ["error"],
  callId: ["callId", "call_id", "tool_call_id"],
  batchId: ["batchId", "batch_id"],
  text: ["text"],
} as const satisfies Record<string, readonly string[]>;

const ALL_SPELLINGS: readonly string[] = Object.values(SPELLINGS).flat();

type Field = keyof typeof SPELLINGS;
type Payload = Readonly<Record<string, unknown>>;

/**
 * Reads the tool events of a branch in three dialects: nested with `toolName`, nested with `name`, and flat
 * `{tool_name, args | arguments, result, error}`.
 *
 * Classification of an event:
 * - `event: "tool_result"`: a result. Arguments beside it repeat those of its call.
 * - `event: "tool_call"`: a call, and also its result if it has an output or an error.
 * - without `event`: a call if it has arguments; a result if it has an output (even null) or an error; both if
 *   it has both; a call without arguments if it has only a name.
 *
 * The index of any other event is added to `unreadable`, and the caller must report it. Such an event is not
 * converted to a call, because the model would learn a call that the agent never made. It is not an error
 * either, because one odd log line should not cost the whole branch.
 */
export function readToolEvents(events: readonly Open<ToolEvent>[]): ToolEventReading {
  const acts: ToolAct[] = [];
  const unreadable: number[] = [];
  let ordinal = 0;
  for (const [index, event] of events.entries()) {
    const payload = payloadOf(event);
    const parts = partsOf(event, payload);
    if (!parts.call && !parts.result) unreadable.push(index);
    const call = parts.call ? toCall(payload, index, ordinal) : undefined;
    if (call !== undefined) {
      acts.push(call);
      ordinal += 1;
    }
    if (parts.result) acts.push(toResult(payload, index, call));
  }
  return { acts, unreadable };
}

/** The object with the call or the result: `data` in the nested dialects, otherwise the event. */
function payloadOf(event: Open<ToolEvent>): Payload {
  const { data } = event;
  return isJsonObject(data) && holdsAnyField(data) ? data : event;
}

function holdsAnyField(payload: Payload): boolean {
  return ALL_SPELLINGS.some((key) => payload[key] !== undefined);
}

function partsOf(event: Open<ToolEvent>, payload: Payload): { call: boolean; result: boolean } {
  const error = readError(payload) !== undefined;
  if (event.event === "tool_result") return { call: false, result: true };
  if (event.event === "tool_call") {
    return { call: true, result: error || readField(payload, "output") !== undefined };
  }
  const result = error || isPresent(payload, "output");
  const name = readText(payload, "name") !== undefined;
  return { call: isPresent(payload, "args") || (name && !result), result };
}

function toCall(payload: Payload, event: number, ordinal: number): ToolCall {
  return {
    kind: "call",
    event,
    ordinal,
    id: readText(payload, "callId"),
    name: readText(payload, "name") ?? "",
    args: readField(payload, "args"),
    batchId: readText(payload, "batchId"),
    text: readText(payload, "text") ?? "",
  };
}

function toResult(payload: Payload, event: number, answers: ToolCall | undefined): ToolResult {
  return {
    kind: "result",
    event,
    callId: readText(payload, "callId"),
    name: readText(payload, "name"),
    output: readField(payload, "output"),
    error: readError(payload),
    answers,
  };
}

/** Tells whether the field is present, even if it is null. */
function isPresent(payload: Payload, field: Field): boolean {
  return SPELLINGS[field].some((key) => payload[key] !== undefined);
}

/** The value of the first spelling that is present; null counts as absent. */
function readField(payload: Payload, field: Field): unknown {
  const key = SPELLINGS[field].find((key) => payload[key] !== undefined && payload[key] !== null);
  return key === undefined ? undefined : payload[key];
}

/** A field that is used only if it is text; empty text counts as absent. */
function readText(payload: Payload, field: Field): string | undefined {
  const value = readField(payload, field);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Loggers write "no error" as null, as false, or as empty text. */
function readError(payload: Payload): unknown {
  const error = readField(payload, "error");
  return error === "" || error === false ? undefined : error;
}
