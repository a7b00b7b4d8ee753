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

/** Channel of the events of tools (`rollout-wire#/$defs/ToolEvent`). */
const CHANNEL = "tool";

/** A call that the agent makes. Anything may be given as arguments: a snapshot is taken. */
export interface RecordedCall {
  readonly toolName: string;
  /** Arguments: an object, or the raw text when the model's arguments did not parse. */
  readonly args?: unknown;
  /** By which the result names the call; `call_<n>` unless given. */
  readonly callId?: string | undefined;
  /** Shared by the calls that the agent makes in one turn. */
  readonly batchId?: string | undefined;
  /** What the assistant said in the turn that made the call. */
  readonly text?: string | undefined;
}

/** What a tool returned. Of anything that is given as output or error, a snapshot is taken. */
export interface RecordedResult {
  /** Of the call; without it the result answers the earliest call that has none. */
  readonly callId?: string | undefined;
  readonly toolName?: string | undefined;
  readonly output?: unknown;
  /** What went wrong; absent or null when nothing did. */
  readonly error?: unknown;
}

/**
 * What an agent tells of its tools. Takes anything, throws nothing and keeps no reference to what it was
 * given; its methods may be passed on alone.
 */
export interface Recorder {
  /** Records a call; gives the id by which its result is to name it. */
  readonly toolCall: (call: RecordedCall) => string;
  /** Records a result. */
  readonly toolResult: (result: RecordedResult) => void;
}

/** A recorder, and the side of the one who reads it. */
export interface Recording {
  readonly recorder: Recorder;
  /** The events so far, in the order in which they were recorded: a list of its own at each call. */
  readonly events: () => ToolEvent[];
  /** How many events there was no room for. */
  readonly omitted: () => number;
  /** After this nothing is added. */
  readonly end: () => void;
}

/** A recorder of the tool events of one branch, which share the `room` of its record. */
export function createRecorder(room: SnapshotRoom = createSnapshotRoom()): Recording {
  const recorded: ToolEvent[] = [];
  const callIds = new Set<string>();
  let omitted = 0;
  let ended = false;

  const add = (event: ToolEvent["event"], readData: () => ToolEventData): void => {
    if (ended) return;
    if (isFull(room)) {
      omitted += 1;
      return;
    }
    room.values -= 1;
    const data = readData();
    // A getter of what was given may have ended it meanwhile.
    if (!ended) recorded.push({ event, channel: CHANNEL, data });
  };
  return {
    recorder: Object.freeze<Recorder>({
      toolCall(call) {
        const callId = readText(call, "callId", room) || toFreeId(callIds);
        add("tool_call", () => {
          callIds.add(callId);
          return {
            toolName: readText(call, "toolName", room) ?? "",
            ...readValue(call, "args", room),
            callId,
            ...readTexts(call, ["batchId", "text"], room),
          };
        });
        return callId;
      },
      toolResult(result) {
        add("tool_result", () => ({
          ...readTexts(result, ["callId", "toolName"], room),
          ...readValue(result, "output", room),
          ...readValue(result, "error", room),
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

/** The first of `call_0`, `call_1`, ... that no call of the branch has, as the exporter would name it. */
function toFreeId(taken: ReadonlySet<string>): string {
  let ordinal = taken.size;
  while (taken.has(`call_${ordinal}`)) ordinal += 1;
  return `call_${ordinal}`;
}

type TextKey = "toolName" | "callId" | "batchId" | "text";

/** A field that is text; a number is its digits, and what else is given is left out. */
function readText(given: unknown, key: TextKey, room: SnapshotRoom): string | undefined {
  const value = readField(given, key);
  const isText = typeof value === "string" || typeof value === "number";
  return isText ? String(toSnapshot(String(value), room)) : undefined;
}

function readTexts(given: unknown, keys: readonly TextKey[], room: SnapshotRoom): ToolEventData {
  const data: ToolEventData = {};
  for (const key of keys) {
    const text = readText(given, key, room);
    if (text !== undefined) data[key] = text;
  }
  return data;
}

function readValue(
  given: unknown,
  key: "args" | "output" | "error",
  room: SnapshotRoom,
): ToolEventData {
  const value = readField(given, key);
  if (value === undefined) return {};
  return { [key]: value === UNREADABLE ? SNAPSHOT_MARKS.unreadable : toSnapshot(value, room) };
}
