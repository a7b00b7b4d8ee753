import {
  type EntryTypeName,
  isToolCallSequence,
  type Message,
  type ToolEvent,
} from "#generated/index.js";
import type { JsonObject } from "../../../base/json/value.js";
import { readToolEvents, type ToolAct } from "../conversation/events.js";
import { isBranchType } from "./structure.js";

/** A call of a tool and its position in the record. */
export interface PlacedCall {
  /** JSON Pointer (RFC 6901) of the call in a message, or of the event that contains it. */
  readonly pointer: string;
  /** Name of the tool; "" if an event has none. */
  readonly name: string;
  /** Arguments as recorded: any JSON value, undefined if an event has none. */
  readonly args: unknown;
}

/** The calls in messages, in order. `pointer` is that of the messages. */
export function readMessageCalls(messages: readonly Message[], pointer: string): PlacedCall[] {
  return messages.flatMap(({ tool_calls: calls = [] }, message) =>
    calls.map((call, index) => ({
      pointer: `${pointer}/${message}/tool_calls/${index}`,
      name: call.function.name,
      args: call.function.arguments,
    })),
  );
}

/** The calls in the tool events of a branch, in order, read in all dialects as the exporter does. */
export function readEventCalls(events: readonly ToolEvent[]): PlacedCall[] {
  return readToolEvents(events).acts.flatMap((act) =>
    act.kind === "call"
      ? [{ pointer: `/tool_call_sequence/${act.event}`, name: act.name, args: act.args }]
      : [],
  );
}

/** The tool events of a record, and what they say in any dialect. */
export interface ReadEvents {
  readonly events: readonly ToolEvent[];
  readonly acts: readonly ToolAct[];
}

/** Undefined if the record has no valid tool events. `type` is that for which it is structurally valid. */
export function readRecordEvents(
  { tool_call_sequence: value }: JsonObject,
  type: EntryTypeName,
): ReadEvents | undefined {
  if (latest?.events === value) return latest;
  if (!areToolEvents(value, type)) return undefined;
  latest = { events: value, acts: readToolEvents(value).acts };
  return latest;
}

/** Those of a branch are valid as it is. */
function areToolEvents(value: unknown, type: EntryTypeName): value is ToolEvent[] {
  return isBranchType(type) || isToolCallSequence(value);
}

/** Several rules read the events of a record. */
let latest: ReadEvents | undefined;
