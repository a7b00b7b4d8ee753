import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { formatCount } from "../../../../base/text.js";
import type { ImportFault, RecordPart } from "../reader.js";
import { Tally } from "../tally.js";
import {
  type ConvertedMessage,
  createConvertedReader,
  listObjects,
  skipRest,
  toPart,
} from "./converted.js";
import { type Form, hasKeys, packed } from "./form.js";

/**
 * Sessions of pi and of OpenClaw, which is built on it: a JSONL file each, whose entries are a tree. What a branch takes is
 * what the model saw: the way from the last entry back to the first.
 */
export const pi: Form = {
  id: "pi",
  purpose: "sessions of pi and OpenClaw",
  unit: "session",
  files: [".pi/agent/sessions", ".openclaw/agents"].flatMap((at) => packed(`**/${at}/**/*.jsonl`)),
  joinsLines: true,
  options: [],
  recognise: ([first, ...others]) =>
    hasKeys(first, "type", "id", "timestamp") && first.type === "session" && others.some(isEntry),
  createReader: (settings) =>
    createConvertedReader(settings, { id: "pi" }, (value) => [toSession(value)]),
};

/** Tells whether a line holds a message. Streams of events have messages elsewhere, and each of them many times. */
const isEntry = (line: unknown): boolean =>
  hasKeys(line, "type", "message") && line.type === "message" && hasKeys(line.message, "role");

/** A line with its number. */
type Entry = readonly [number: string, line: JsonObject];

function toSession(value: unknown): RecordPart {
  const lines: Entry[] = Object.entries(
    isJsonObject(value) || Array.isArray(value) ? value : {},
  ).flatMap(([number, line]: [string, unknown]) => (isJsonObject(line) ? [[number, line]] : []));
  const [[at, head] = ["", {}], ...entries] = lines;
  const path = findPath(entries);
  const tally = new Tally();
  for (const [number, line] of entries) {
    const isRead = isEntry(line) || READ.includes(line.type);
    if (isRead) skipRest(line, `/${number}`, FIELDS, tally);
    else tally.skip(`/${number}/${String(line.type)}`, line);
  }
  const summary = path.find(([, { type }]) => SUMMARIES.includes(type));
  const said = path.flatMap(toMessage);
  const ended = said.filter(([, message]) => hasFailed(message));
  const dropped = new Set(ended.flatMap(([, message]) => callIdsOf(message)));
  const seen = said.filter(
    ([, message]) => !hasFailed(message) && !dropped.has(message.tool_call_id),
  );
  const { stopReason: end, errorMessage } = said.at(-1)?.[1] ?? {};
  const { type: _, id: session, ...fields } = head;
  return toPart({
    ...{ pointer: `/${at}`, messages: seen.map(withoutEnd), session, tally },
    fields: {
      ...fields,
      ...(FAILURES.includes(end) && { error: errorMessage ?? end }),
      ...(end === "length" && { truncated: true }),
    },
    fault: summary && {
      id: "compacted",
      pointer: `/${summary[0]}`,
      message: "the session was summarised: in which words the model saw that is not in it",
    },
    warnings: [
      ...warn("rolled-back", `/${at}`, entries.length - path.length, OF_OTHERS),
      ...warn("api-error", `/${at}`, said.length - seen.length, OF_FAILED),
    ],
  });
}

const OF_OTHERS = "of ways that the user did not follow left out";
const OF_FAILED = "of answers that failed or were aborted left out: the model never saw them";

/** Entries of the older linear sessions have no ids. */
function findPath(entries: readonly Entry[]): readonly Entry[] {
  if (entries.some(([, { id }]) => typeof id !== "string")) return entries;
  const byId = new Map(entries.map((entry) => [entry[1].id, entry]));
  const path: Entry[] = [];
  for (let entry = entries.at(-1); entry !== undefined; entry = byId.get(entry[1].parentId)) {
    path.unshift(entry);
    byId.delete(entry[1].id);
  }
  return path;
}

/** Entries that are said to the model in words that they do not hold, and those that are read. */
const SUMMARIES: readonly unknown[] = ["compaction", "branch_summary"];
const CUSTOM = "custom_message";
const READ: readonly unknown[] = [...SUMMARIES, CUSTOM];
const FIELDS = ["type", "id", "parentId", "timestamp", "message", "content", "summary"];

/** What an entry says to the model. An extension speaks as the user. */
function toMessage([number, line]: Entry): ConvertedMessage[] {
  const at = `/${number}/message`;
  if (line.type === CUSTOM) return [[`/${number}`, { role: "user", content: line.content }]];
  if (!isEntry(line) || !isJsonObject(line.message)) return [];
  const { role, timestamp: _, ...message } = line.message;
  if (message.excludeFromContext === true) return [];
  if (role === "custom") return [[at, { role: "user", content: message.content }]];
  if (role === "toolResult") {
    const { toolCallId, toolName, isError, ...rest } = message;
    const result = { role: "tool", tool_call_id: toolCallId, name: toolName, is_error: isError };
    return [[at, { ...result, ...rest }]];
  }
  const parts: readonly unknown[] | undefined = Array.isArray(message.content)
    ? message.content.map((part: unknown) =>
        hasKeys(part, "type") && part.type === CALL ? { ...part, type: "tool_call" } : part,
      )
    : undefined;
  return [[at, { ...message, role, ...(parts && { content: parts }) }]];
}

const CALL = "toolCall";
const FAILURES: readonly unknown[] = ["error", "aborted"];

const hasFailed = ({ stopReason }: JsonObject): boolean => FAILURES.includes(stopReason);

const callIdsOf = ({ content }: JsonObject): unknown[] =>
  listObjects(content).flatMap(([, { type, id }]) => (type === "tool_call" ? [id] : []));

function withoutEnd([at, { stopReason: _, ...message }]: ConvertedMessage): ConvertedMessage {
  return [at, message];
}

function warn(id: string, pointer: string, count: number, why: string): ImportFault[] {
  if (count === 0) return [];
  return [{ id, pointer, message: `${formatCount(count, "line")} ${why}`, cause: why }];
}
