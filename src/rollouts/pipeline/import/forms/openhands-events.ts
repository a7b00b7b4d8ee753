import { resolvePointer } from "../../../../base/json/pointer.js";
import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { toJsonText } from "../parse-log.js";
import type { RecordPart } from "../reader.js";
import { Tally } from "../tally.js";
import {
  type ConvertedMessage,
  createConvertedReader,
  listObjects,
  skipRest,
  toPart,
} from "./converted.js";
import { type Form, hasKeys, packed } from "./form.js";

/** Where an evaluation puts its verdict. */
const VERDICTS = ["/resolved", "/report/resolved", "/test_result/report/resolved"];

/**
 * Event streams of OpenHands: a list of actions and observations, alone or in the `history` of an evaluation's row. Both
 * generations are read: events with `action` or `observation`, and those of the SDK, with `kind`.
 */
export const openhandsEvents: Form = {
  id: "openhands-events",
  purpose: "event streams of OpenHands",
  unit: "stream",
  files: packed("**/openhands-events*.json"),
  joinsLines: ([first]) => isEvent(first),
  options: [],
  recognise: ([first]) =>
    isEvent(first) ||
    (hasKeys(first, "history") && Array.isArray(first.history) && isEvent(first.history[0])),
  createReader: (settings) =>
    createConvertedReader(
      settings,
      { id: "openhands-events", groupedBy: "/instance_id" },
      splitStreams,
    ),
};

/** An object with the value of each line under its number. */
const LINE_NUMBER = /^\d+$/;

function splitStreams(value: unknown): RecordPart[] {
  if (Array.isArray(value) && isEvent(value[0])) return [toStream("", listObjects(value), {})];
  const isLines = isJsonObject(value) && Object.keys(value).every((key) => LINE_NUMBER.test(key));
  if (!isLines) {
    return listObjects(value).map(([at, row]) => {
      const { history, ...fields } = row;
      return toStream(at, listObjects(history, `${at}/history`), fields);
    });
  }
  // Each line is an event of the only stream, or a stream.
  const lines = Object.entries(value).map(([line, each]) => [`/${line}`, each] as const);
  const events = lines.flatMap(([at, each]) => (isJsonObject(each) ? listObjects(each, at) : []));
  const streams = lines.filter(([, each]) => Array.isArray(each));
  return [
    ...(events.length > 0 ? [toStream("", events, {})] : []),
    ...streams.map(([at, each]) => toStream(at, listObjects(each, at), {})),
  ];
}

function isEvent(value: unknown): boolean {
  if (!hasKeys(value, "source")) return false;
  const { action, observation, kind, args, content } = value;
  const isFirst = typeof action === "string" && isJsonObject(args);
  const isObservation = typeof observation === "string" && content !== undefined;
  return isFirst || isObservation || (typeof kind === "string" && /Event$/.test(kind));
}

function toStream(
  pointer: string,
  events: readonly ConvertedMessage[],
  { instance_id: group, test_result: tests, ...fields }: JsonObject,
): RecordPart {
  const tally = new Tally();
  const seen = new Set<unknown>();
  const messages = events.flatMap(([place, event]) => {
    const isNew = typeof event.kind === "string";
    const read = isNew ? toMessage(place, event) : toOlder(place, event, seen);
    if (read.length === 0) tally.skip(`${place}/${nameOf(event)}`, event);
    else skipEvent(event, place, tally);
    return read;
  });
  const row = { ...fields, test_result: tests };
  const verdict = VERDICTS.find((place) => resolvePointer(row, place) !== undefined);
  skipRest(tests, `${pointer}/test_result`, ["report"], tally);
  const report = resolvePointer(row, "/test_result/report");
  skipRest(report, `${pointer}/test_result/report`, ["resolved"], tally);
  const tools = events.map(([, event]) => event.tools ?? resolvePointer(event, "/args/tools"));
  return toPart({
    ...{ pointer, messages, group, fields, tally },
    tools: tools.find((each) => Array.isArray(each) && each.length > 0),
    reward:
      verdict === undefined
        ? undefined
        : { pointer: `${pointer}${verdict}`, value: resolvePointer(row, verdict) },
  });
}

function nameOf({ kind, action, observation }: JsonObject): string {
  return String(kind ?? action ?? observation);
}

/** Fields of an event that are read, or that repeat what is read. */
const READ = [
  ...["id", "source", "kind", "action", "observation", "message", "cause", "timestamp"],
  ...["args", "content", "extras", "tool_call_metadata", "llm_message", "system_prompt", "tools"],
  ...["thought", "reasoning_content", "tool_call", "tool_name", "tool_call_id", "action_id"],
  ...["error", "rejection_reason", "llm_response_id", "success"],
];

function skipEvent(event: JsonObject, place: string, tally: Tally): void {
  skipRest(event, place, READ, tally);
  const at = `${place}/tool_call_metadata`;
  const { tool_call_metadata: call } = event;
  const own = ["function_name", "tool_call_id", "model_response", "total_calls_in_response"];
  skipRest(call, at, own, tally);
  const response = resolvePointer(call, "/model_response");
  skipRest(response, `${at}/model_response`, ["id", "choices", "model"], tally);
  const choice = resolvePointer(response, "/choices/0");
  skipRest(choice, `${at}/model_response/choices/0`, ["message", "index"], tally);
}

/** An event of the SDK; none for one that is no part of the conversation. */
function toMessage(at: string, event: JsonObject): ConvertedMessage[] {
  const { kind, tool_call_id: id, tool_name: name } = event;
  if (kind === "SystemPromptEvent") {
    return [[`${at}/system_prompt`, { role: "system", content: toContent(event.system_prompt) }]];
  }
  if (kind === "MessageEvent" && isJsonObject(event.llm_message)) {
    return [[`${at}/llm_message`, event.llm_message]];
  }
  if (kind === "ActionEvent") {
    const { tool_call: call, thought, reasoning_content: reasoning } = event;
    return [
      [
        at,
        {
          role: "assistant",
          content: toContent(thought),
          reasoning_content: reasoning ?? "",
          tool_calls: [call],
        },
      ],
    ];
  }
  if (typeof kind !== "string" || !/Observation|AgentError/.test(kind)) return [];
  const { observation, error, rejection_reason: reason } = event;
  const content = error ?? reason ?? toContent(observation);
  return [[at, { role: "tool", tool_call_id: id, name, content }]];
}

/** A text, parts, or an object that holds them, as a content. Anything else as its JSON. */
function toContent(value: unknown): unknown {
  if (typeof value === "string" || Array.isArray(value)) return value;
  if (!isJsonObject(value)) return "";
  const { text, content, output } = value;
  return text ?? content ?? output ?? toJsonText(value);
}

/** Actions and observations in which nothing is said. */
const SILENT: readonly unknown[] = [
  ...["change_agent_state", "agent_state_changed", "recall", "null", "condensation"],
];

/** An event of older versions; `seen` has the ids of the answers of the model so far, each of which may cause several. */
function toOlder(at: string, event: JsonObject, seen: Set<unknown>): ConvertedMessage[] {
  const { action, observation, source, args = {}, content, tool_call_metadata: metadata } = event;
  if (SILENT.includes(action ?? observation) || !isJsonObject(args)) return [];
  const call = isJsonObject(metadata) ? metadata : {};
  if (observation !== undefined) {
    const { tool_call_id: id, function_name: name } = call;
    return [[at, { role: "tool", tool_call_id: id, name, content }]];
  }
  if (action === "system") return [[`${at}/args`, { role: "system", content: args.content }]];
  const answer = resolvePointer(call, "/model_response/choices/0/message");
  const response = resolvePointer(call, "/model_response/id");
  if (isJsonObject(answer)) {
    if (response !== undefined && seen.has(response)) return [];
    seen.add(response);
    return [[`${at}/tool_call_metadata/model_response/choices/0/message`, answer]];
  }
  if (action === "message") {
    const role = source === "user" ? "user" : "assistant";
    return [[`${at}/args`, { role, content: args.content }]];
  }
  const { thought = "", ...own } = args;
  const made = { function: { name: action, arguments: own } };
  return [[at, { role: "assistant", content: thought, tool_calls: [made] }]];
}
