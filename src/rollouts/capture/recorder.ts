import type { ToolEvent, ToolEventData } from "#generated/index.js";
import {
  createSnapshotRoom,
  isFull,
  readField,
  SNAPSHOT_MARKS,
  type SnapshotRoom,
  toSnapshot,
  UNREADABLE,
} from "./snapshot.js";

/** The channel of tool events (`rollout-wire#/$defs/ToolEvent`). */
const CHANNEL = "tool";

/** A tool call of the agent. The arguments may be anything: a snapshot is recorded. */
export interface RecordedCall {
  readonly toolName: string;
  /** An object, or the raw text if the model's arguments did not parse. */
  readonly args?: unknown;
  /** The id by which the result names the call. Default `call_<n>`. */
  readonly callId?: string | undefined;
  /** Shared by the calls of one turn. */
  readonly batchId?: string | undefined;
  /** The assistant's text in the turn of the call. */
  readonly text?: string | undefined;
}

/** The result of a tool. Output and error may be anything: snapshots are recorded. */
export interface RecordedResult {
  /** The call's id; without it, the result belongs to the earliest call without a result. */
  readonly callId?: string | undefined;
  readonly toolName?: string | undefined;
  readonly output?: unknown;
  /** The error; absent or null if there was none. */
  readonly error?: unknown;
}

/**
 * Records the tool use of an agent. Accepts anything, never throws, and keeps no reference to its arguments.
 * Its methods do not need `this`.
 */
export interface Recorder {
  /** Records a call; returns the id by which its result must name it. */
  readonly toolCall: (call: RecordedCall) => string;
  /** Records a result. */
  readonly toolResult: (result: RecordedResult) => void;
}

/** A recorder, and access to what it recorded. */
export interface Recording {
  readonly recorder: Recorder;
  /** The events so far, in the order in which they were recorded. Each call returns a new list. */
  readonly events: () => ToolEvent[];
  /** How many events exceeded the budget. */
  readonly omitted: () => number;
  /** After this, nothing is recorded. */
  readonly end: () => void;
}

/** Creates a recorder of the tool events of one branch, which share the `budget`. */
export function createRecorder(budget: SnapshotRoom = createSnapshotRoom()): Recording {
  const recorded: ToolEvent[] = [];
  const callIds = new Set<string>();
  let omitted = 0;
  let ended = false;

  const add = (event: ToolEvent["event"], readData: () => ToolEventData): void => {
    if (ended) return;
    if (isFull(budget)) {
      omitted += 1;
      return;
    }
    budget.values -= 1;
    const data = readData();
    // A getter in the data may have ended the recording.
    if (!ended) recorded.push({ event, channel: CHANNEL, data });
  };
  return {
    recorder: Object.freeze<Recorder>({
      toolCall(call) {
        const callId = readText(call, "callId", budget) || toFreeId(callIds);
        add("tool_call", () => {
          callIds.add(callId);
          return {
            toolName: readText(call, "toolName", budget) ?? "",
            ...readValue(call, "args", budget),
            callId,
            ...readTexts(call, ["batchId", "text"], budget),
          };
        });
        return callId;
      },
      toolResult(result) {
        add("tool_result", () => ({
          ...readTexts(result, ["callId", "toolName"], budget),
          ...readValue(result, "output", budget),
          ...readValue(result, "error", budget),
        }));
      },
    }),
    events: () => [...recorded],
    omitted: () => omitted,
    end: () => {
      ended = true;
    },
  };
}

/** The first free id of `call_0`, `call_1`, ...: the one that the exporter would choose. */
function toFreeId(taken: ReadonlySet<string>): string {
  let ordinal = taken.size;
  while (taken.has(`call_${ordinal}`)) ordinal += 1;
  return `call_${ordinal}`;
}

type TextKey = "toolName" | "callId" | "batchId" | "text";

/** Reads a field as text. A number becomes its digits; any other type counts as absent. */
function readText(given: unknown, key: TextKey, budget: SnapshotRoom): string | undefined {
  const value = readField(given, key);
  const isText = typeof value === "string" || typeof value === "number";
  return isText ? String(toSnapshot(String(value), budget)) : undefined;
}

function readTexts(given: unknown, keys: readonly TextKey[], budget: SnapshotRoom): ToolEventData {
  const data: ToolEventData = {};
  for (const key of keys) {
    const text = readText(given, key, budget);
    if (text !== undefined) data[key] = text;
  }
  return data;
}

function readValue(
  given: unknown,
  key: "args" | "output" | "error",
  budget: SnapshotRoom,
): ToolEventData {
  const value = readField(given, key);
  if (value === undefined) return {};
  return { [key]: value === UNREADABLE ? SNAPSHOT_MARKS.unreadable : toSnapshot(value, budget) };
}
