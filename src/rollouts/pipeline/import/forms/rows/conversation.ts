import { resolvePointer, toPointerToken } from "../../../../../base/json/pointer.js";
import { isJsonObject, type JsonObject } from "../../../../../base/json/value.js";
import { type RowConversation, toConversation } from "../../conversation/conversation.js";
import { type RowMessage, readMessage } from "../../conversation/dialects.js";
import type { RowIssues } from "../../conversation/issues.js";
import { NO_JSON, parseJsonText } from "../../conversation/json-text.js";
import { readText } from "../../conversation/parts.js";
import { readTools } from "../../conversation/tools.js";
import { checkUnreadRow, skipFields } from "../../conversation/unread.js";
import { isMessage } from "../message-list.js";
import { type FieldMap, ROW_FIELDS } from "./field-map.js";
import { type FoundField, findField } from "./find-field.js";

/** A conversation that a field map finds. */
export interface MappedConversation extends RowConversation {
  /** JSON Pointers to all values that were read. */
  readonly places: readonly string[];
}

/**
 * Reads the conversation of a row. If the row has a prompt and a completion, the model was given the prompt.
 */
export function readRowConversation(
  row: JsonObject,
  map: FieldMap,
  issues: RowIssues,
): MappedConversation {
  const whole = findField(row, map, "messages");
  const isSplit = isMissing(whole.value) && map.prompt !== undefined;
  const first = isSplit ? findField(row, map, "prompt") : whole;
  const second = isSplit ? findField(row, map, "completion") : undefined;
  const given = readMessages(first, isSplit ? "user" : undefined, issues);
  const rest = second === undefined ? [] : readMessages(second, "assistant", issues);
  const prompt = findField(row, map, "system");
  const system = readSystem(prompt, given, issues);
  const before = [...system, ...given].map((message) => ({ ...message, given: isSplit }));
  const found = findField(row, map, "tools");
  const tools = readTools(found.value, found.pointer, issues);
  const places = [first, second, prompt, found].map((field) => field?.pointer ?? "");
  return {
    ...toConversation([...before, ...rest], issues, { tools, isColumn: true }),
    tools,
    pointer: first.pointer,
    places: places.filter((place) => place !== ""),
  };
}

/**
 * Counts the fields of a row that its map does not name and that are not at one of the pointers `read`, and checks that
 * they are no part of its conversation.
 */
export function skipUnreadFields(
  row: JsonObject,
  map: FieldMap,
  { before, task, turns }: RowConversation,
  { issues, read }: { readonly issues: RowIssues; readonly read: readonly string[] },
): void {
  const found = ROW_FIELDS.map((field) => findField(row, map, field));
  const places = new Set([...found.map(({ pointer }) => pointer), ...read]);
  const owners = new Map<string, JsonObject>();
  for (const { pointer, elements = [] } of found) {
    for (const element of elements) places.add(element);
    const owner = elements.length > 0 ? resolvePointer(row, pointer) : undefined;
    const nodes = isJsonObject(owner) || Array.isArray(owner) ? Object.entries(owner) : [];
    for (const [key, node] of nodes) {
      const at = `${pointer}/${toPointerToken(key)}`;
      if (!isJsonObject(node)) continue;
      owners.set(at, node);
      // A reward that is an object is read as a whole.
      if (places.has(at)) for (const name of ["score", "weight"]) places.add(`${at}/${name}`);
    }
  }
  // An object of which something is read is read no further.
  for (const place of places) {
    for (let at = toParent(place); at !== ""; at = toParent(at)) {
      const owner = resolvePointer(row, at);
      if (isJsonObject(owner)) owners.set(at, owner);
      else if (Array.isArray(owner)) owners.set(at, { ...owner });
    }
  }
  const known = (pointer: string) => ({
    has: (key: string): boolean => {
      const at = `${pointer}/${toPointerToken(key)}`;
      return places.has(at) || owners.has(at);
    },
  });
  for (const [pointer, owner] of owners) skipFields(owner, known(pointer), pointer, issues);
  const messages = [...before, ...(task === undefined ? [] : [task]), ...turns];
  checkUnreadRow(skipFields(row, known(""), "", issues), messages, issues);
}

function toParent(pointer: string): string {
  return pointer.slice(0, Math.max(pointer.lastIndexOf("/"), 0));
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

const NO_MESSAGES = "the row has no messages here: name their place by --map messages=<pointer>";

/** Reads a list of messages, one message, or the JSON text of a list. With `speaker`, any other text is one message of that role. */
function readMessages(
  found: FoundField,
  speaker: "user" | "assistant" | undefined,
  issues: RowIssues,
): readonly RowMessage[] {
  const { value, pointer, elements } = found;
  if (isMissing(value)) {
    // A branch that crashed has no completion.
    if (speaker !== "assistant") issues.fail("required", pointer, NO_MESSAGES);
    return [];
  }
  if (typeof value === "string") return readMessageText(value, pointer, speaker, issues);
  if (isMessage(value)) return readMessage(value, pointer, issues);
  if (!Array.isArray(value)) {
    issues.refuse(pointer, "an array of messages", value);
    return [];
  }
  for (const place of found.branches ?? []) {
    const message =
      "the messages have several branches: only a single line of them can be imported";
    issues.fail("message-graph", place, message);
  }
  const list: readonly unknown[] = value;
  return list.flatMap((message, index) => {
    const at = elements?.[index] ?? `${pointer}/${index}`;
    if (isJsonObject(message)) return readMessage(message, at, issues);
    issues.refuse(at, "an object", message);
    return [];
  });
}

function readMessageText(
  text: string,
  pointer: string,
  speaker: "user" | "assistant" | undefined,
  issues: RowIssues,
): readonly RowMessage[] {
  const { value, problem } = parseJsonText(text);
  const isList = Array.isArray(value) && value.every(isJsonObject);
  if (isList && (speaker === undefined || value.length > 0)) {
    const inner = issues.createInner();
    const read = inner.objects(value, "").flatMap(([at, each]) => readMessage(each, at, inner));
    issues.addInner(inner, pointer);
    return read.map((message) => ({
      ...message,
      pointer,
      contentPointer: pointer,
      calls: message.calls.map((call) => ({ ...call, pointer })),
    }));
  }
  // A list of messages that cannot be used must not become a message itself.
  const isPlain = problem === NO_JSON || !/^\s*\[\s*\{/.test(text);
  if (speaker !== undefined && isPlain) return [toPlainMessage(speaker, text, pointer)];
  const why = problem ?? "is JSON of something else";
  issues.fail("messages-text", pointer, `must be a list of messages as JSON; the text ${why}`);
  return [];
}

function toPlainMessage(
  role: "system" | "user" | "assistant",
  content: string,
  pointer: string,
): RowMessage {
  const base = { pointer, contentPointer: pointer, role, callId: undefined, name: undefined };
  return { ...base, content, reasoning: "", calls: [], output: content, failed: false };
}

/** The system prompt in a field of its own, unless the messages begin with it. */
function readSystem(
  { value, pointer }: FoundField,
  messages: readonly RowMessage[],
  issues: RowIssues,
): readonly RowMessage[] {
  const text = readText(value, pointer, issues);
  const isThere = messages.some(({ role, content }) => role === "system" && content === text);
  return text === "" || isThere ? [] : [toPlainMessage("system", text, pointer)];
}
