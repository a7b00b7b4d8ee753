import type { Message } from "#generated/index.js";
import { isSameJson } from "../../../../base/json/equality.js";
import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { previewValue } from "../../../../base/text.js";
import { isEmpty } from "../tally.js";
import { type RowCall, readCall, readCalls, readCallTurn } from "./calls.js";
import type { RowIssues } from "./issues.js";
import { fromLangChain } from "./langchain.js";
import {
  addReasoning,
  createSpeech,
  isResult,
  isSpeech,
  keepsRawText,
  type ResultPart,
  readOutput,
  readSegments,
  type Segment,
  type Speech,
} from "./parts.js";
import { checkUnread, type ReadMessage, skipFields } from "./unread.js";

/** A message of a row in the terms of the format, before its calls and results are paired. */
export interface RowMessage {
  /** JSON Pointer to the message in the row. */
  readonly pointer: string;
  /** JSON Pointer to its content. */
  readonly contentPointer: string;
  readonly role: Message["role"];
  readonly content: string;
  /** Empty if there is none. */
  readonly reasoning: string;
  readonly calls: readonly RowCall[];
  /** In a tool message. */
  readonly callId: string | undefined;
  readonly name: string | undefined;
  /** In a tool message: what the tool returned. `content` is it as text. */
  readonly output: unknown;
  /** Whether a tool reports a failure. */
  readonly failed: boolean;
  /** Whether the model was given it, and did not write it in this run. */
  readonly given?: boolean;
  /** Who is behind it, where the role says another: a user who calls tools, or the environment. */
  readonly by?: "user" | "environment" | undefined;
  /** What a branch cannot hold, such as pictures. */
  readonly unplaced?: readonly unknown[];
}

/** A turn of ShareGPT in which the assistant calls a tool. */
const CALL_ROLE = "function_call";

/** The names of roles: OpenAI's, its older `function`, those of ShareGPT and of LangChain. */
const ROLES: ReadonlyMap<string, Message["role"]> = new Map([
  ["system", "system"],
  ["developer", "developer"],
  ["user", "user"],
  ["human", "user"],
  ["assistant", "assistant"],
  ["gpt", "assistant"],
  ["ai", "assistant"],
  [CALL_ROLE, "assistant"],
  ["tool", "tool"],
  ["function", "tool"],
  ["observation", "tool"],
  ["function_response", "tool"],
]);

/** Fields of a message that are read, by who speaks. */
const READ_FIELDS = ["role", "from", "content"] as const;
const REASONING_FIELDS = ["reasoning_content", "reasoning", "thinking"] as const;
/** Verifiers repeats Anthropic's parts in `thinking_blocks`; OpenRouter has `reasoning_details`. */
const REASONING_LISTS = ["thinking_blocks", "reasoning_details"] as const;
const CALL_FIELDS = ["tool_calls", "function_call"] as const;
const READ_FIELDS_OF: Readonly<Record<Message["role"], readonly string[]>> = {
  system: [],
  developer: [],
  user: CALL_FIELDS,
  assistant: [...CALL_FIELDS, ...REASONING_FIELDS, ...REASONING_LISTS],
  tool: ["name", "tool_call_id", "tool_call_ids", "requestor", "is_error"],
};

/** The Tinker Cookbook's calls that did not parse: `{raw_text, error}`. They may be in parts, too. */
const UNPARSED_CALLS = "unparsed_tool_calls";

/** Fields in which something is said or shown that no text expresses, or that did not parse as a call. */
const UNREADABLE_FIELDS = [
  ...["refusal", "audio", "image", "images", "video", "videos"],
  ...[UNPARSED_CALLS, "invalid_tool_calls"],
] as const;

/** Who speaks in a message; undefined if its role is unknown. */
export function roleOf(message: JsonObject): Message["role"] | undefined {
  return ROLES.get(String(message.role ?? message.from));
}

/**
 * Reads a message of OpenAI, ShareGPT, Anthropic or LangChain, as its fields show: `role`, `from` or `type`, `content` or `value`,
 * calls in `tool_calls`, `function_call`, parts, or a turn of their own. A message of Anthropic with results
 * becomes several. None if a branch can hold nothing of it.
 */
export function readMessage(
  given: JsonObject,
  pointer: string,
  issues: RowIssues,
): readonly RowMessage[] {
  const message = fromLangChain(given);
  const kind = readRole(message, pointer, issues);
  if (kind === undefined) return [];
  const known = issues.unplacedCount;
  const rawTexts = readRawTexts(message, issues);
  const own = createSpeech();
  for (const key of UNREADABLE_FIELDS) {
    if (isEmpty(message[key]) || (key === UNPARSED_CALLS && rawTexts.length > 0)) continue;
    issues.addUnplaced("message-part", `${pointer}/${key}`, `"${key}": a branch holds text only`);
    own.unplaced.push(message[key]);
  }
  const key =
    message.content === undefined && Object.hasOwn(message, "value") ? "value" : "content";
  const at = `${pointer}/${key}`;
  const { role, isCall } = kind;
  const failed = role === "tool" && message.is_error === true;
  const callId = role === "tool" ? readCallId(message, pointer, issues) : undefined;
  const name = role === "tool" ? issues.optionalText(message, "name", pointer) : undefined;
  const by: RowMessage["by"] = role === "tool" && message.requestor === "user" ? "user" : undefined;
  const base = { pointer, contentPointer: at, role, callId, name: name || undefined, by };
  if (role === "tool" && isOutputList(message[key])) {
    const { text: content, output } = readOutput(message[key], at, issues);
    skipUnread(message, key, { isEmpty: content === "", calls: [] }, { role, pointer, issues });
    return [{ ...base, content, reasoning: "", calls: [], output, failed }];
  }
  const isAssistant = role === "assistant";
  const segments = readSegments(message[key], at, isAssistant, issues);
  if (isCall) moveCallText(segments.find(isSpeech), at, issues);
  // A user who is simulated may call tools, too.
  if (isAssistant || role === "user") addOwnCalls(own, message, pointer, issues);
  if (isAssistant) own.reasoning = readOwnReasoning(message, pointer, issues);
  const isWritten = (raw: string): boolean =>
    segments.some((segment) => isSpeech(segment) && segment.text.includes(raw));
  own.text = rawTexts.filter((raw) => !isWritten(raw)).join("\n");
  const read = toRowMessages(base, segments, own, failed);
  const isSaidAtAll = isSaid(own) || segments.some((each) => isResult(each) || isSaid(each));
  const calls = read.flatMap((each) => each.calls.map(({ name: called }) => called));
  const unread = skipUnread(
    message,
    key,
    { isEmpty: !isSaidAtAll, calls },
    { role, pointer, issues },
  );
  if (!Object.hasOwn(message, key) && !isSaid(own)) {
    const instead = unread.length > 0 ? `; it has ${unread.map(previewValue).join(", ")}` : "";
    issues.fail("required", pointer, `lacks "content"${instead}`, 'lacks "content"');
  }
  const isLost = issues.unplacedCount > known && !isAssistant;
  if (isLost && !segments.some((segment) => isResult(segment) || isSaid(segment))) return [];
  return read;
}

const knownTo = (role: Message["role"]): ReadonlySet<string> =>
  new Set([...READ_FIELDS, ...READ_FIELDS_OF[role], ...UNREADABLE_FIELDS]);

const KNOWN_FIELDS: Readonly<Record<Message["role"], ReadonlySet<string>>> = {
  system: knownTo("system"),
  developer: knownTo("developer"),
  user: knownTo("user"),
  assistant: knownTo("assistant"),
  tool: knownTo("tool"),
};

interface ReadPlace {
  readonly role: Message["role"];
  readonly pointer: string;
  readonly issues: RowIssues;
}

/** Counts the fields of a message that are not read, checks that they are no part of the conversation, and names them. */
function skipUnread(
  message: JsonObject,
  contentKey: string,
  said: ReadMessage,
  { role, pointer, issues }: ReadPlace,
): readonly string[] {
  // The id of a result of tau2 is that of its call.
  const idKey = role === "tool" && message.requestor !== undefined ? "id" : undefined;
  const read = KNOWN_FIELDS[role];
  const known = {
    has: (key: string): boolean => read.has(key) || key === contentKey || key === idKey,
  };
  const fields = skipFields(message, known, pointer, issues);
  checkUnread(fields, said, pointer, issues);
  return fields.map(({ key }) => key);
}

/** Tells whether the content of a tool's message is a list that is its output, and not a list of several results. */
function isOutputList(content: unknown): boolean {
  return (
    Array.isArray(content) &&
    content.every((part) => !isJsonObject(part) || part.type !== "tool_result")
  );
}

/** The messages in the segments of one: each speech, and each result. What is said beside them is in the last speech. */
export function toRowMessages(
  base: Pick<RowMessage, "pointer" | "contentPointer" | "role" | "callId" | "name" | "by">,
  segments: readonly Segment[],
  own: Speech,
  failed = false,
): readonly RowMessage[] {
  const hasSpeech = segments.some(isSpeech);
  const needsSpeech = !hasSpeech && (segments.length === 0 || isSaid(own));
  const all = needsSpeech ? [...segments, createSpeech()] : segments;
  const last = all.findLastIndex(isSpeech);
  return all.map((segment, index): RowMessage => {
    if (isResult(segment)) return toResultMessage(segment);
    const speech = index === last ? joinSpeech(own, segment) : segment;
    const { text: content, ...rest } = speech;
    return { ...base, ...rest, content, output: content, failed };
  });
}

/** A result as a message of its tool. */
export function toResultMessage({ pointer, callId, text, ...result }: ResultPart): RowMessage {
  const contentPointer = `${pointer}/content`;
  const nothing = { reasoning: "", calls: [], name: undefined };
  return { ...nothing, ...result, pointer, contentPointer, role: "tool", content: text, callId };
}

function readRole(
  message: JsonObject,
  pointer: string,
  issues: RowIssues,
): { readonly role: Message["role"]; readonly isCall: boolean } | undefined {
  const key = typeof message.role !== "string" && Object.hasOwn(message, "from") ? "from" : "role";
  const given = issues.text(message, key, pointer);
  const role = ROLES.get(given);
  if (role !== undefined) return { role, isCall: given === CALL_ROLE };
  if (typeof message[key] === "string") {
    const fault = `${previewValue(given)} is none of ${[...ROLES.keys()].join(", ")}`;
    issues.addUnplaced("message-role", `${pointer}/${key}`, fault);
  }
  return undefined;
}

function moveCallText(speech: Speech | undefined, pointer: string, issues: RowIssues): void {
  if (speech === undefined) return;
  const { text, calls } = readCallTurn(speech.text, pointer, issues);
  speech.text = text;
  speech.calls.push(...calls);
}

/** Tells whether anything is said. */
export const isSaid = ({ text, reasoning, calls }: Speech): boolean =>
  text !== "" || reasoning !== "" || calls.length > 0;

/** The calls beside the content of a message. */
function addOwnCalls(own: Speech, message: JsonObject, pointer: string, issues: RowIssues): void {
  const listed = issues.optionalList(message, "tool_calls", pointer);
  own.calls.push(...readCalls(listed, `${pointer}/tool_calls`, issues));
  const single = issues.optionalObject(message, "function_call", pointer);
  if (single !== undefined) own.calls.push(readCall(single, `${pointer}/function_call`, issues));
}

/** The reasoning beside the content of a message: in the first field that has any. */
function readOwnReasoning(message: JsonObject, pointer: string, issues: RowIssues): string {
  const thoughts = [
    ...REASONING_FIELDS.map(
      (key) => [key, issues.optionalText(message, key, pointer) ?? ""] as const,
    ),
    ...REASONING_LISTS.map((key) => [key, readThoughts(message[key])] as const),
  ].filter(([, thought]) => thought !== "");
  const [[, used] = ["", ""], ...others] = thoughts;
  for (const [key, thought] of others) {
    if (thought !== used) issues.tally.skip(`${pointer}/${key}`, thought);
  }
  if (used === "" && !isEmpty(message.reasoning_details)) {
    issues.tally.skip(`${pointer}/reasoning_details`, message.reasoning_details);
  }
  return used;
}

/** The texts of the parts of a list. Encrypted parts have none. */
function readThoughts(parts: unknown): string {
  const list: readonly unknown[] = Array.isArray(parts) ? parts : [];
  const texts = list.map((part) => {
    const { thinking, text, summary }: JsonObject = isJsonObject(part) ? part : {};
    return [thinking, text, summary].find((each) => typeof each === "string");
  });
  return texts.filter((text) => text !== undefined && text !== "").join("\n\n");
}

/** What the agent wrote as calls that did not parse, if all of it is known. */
function readRawTexts(message: JsonObject, issues: RowIssues): readonly string[] {
  const calls = message[UNPARSED_CALLS];
  if (!Array.isArray(calls)) return [];
  const texts = calls.map((call) => (keepsRawText(call, issues) ? call.raw_text : undefined));
  return texts.every((text) => text !== undefined) ? texts : [];
}

/** What a message says in its content, with what it says beside it. */
function joinSpeech(own: Speech, { text, reasoning, calls, unplaced }: Speech): Speech {
  const joined = {
    text: [text, own.text].filter((each) => each !== "").join("\n"),
    reasoning,
    calls: areSameCalls(own.calls, calls) ? own.calls : [...calls, ...own.calls],
    unplaced: [...unplaced, ...own.unplaced],
  };
  // The same thought is often in a part and in a field.
  if (own.reasoning !== reasoning) addReasoning(joined, own.reasoning);
  return joined;
}

/** The Tinker Cookbook and LangChain write the calls of a message twice, in parts and in a field. */
function areSameCalls(some: readonly RowCall[], others: readonly RowCall[]): boolean {
  const withoutPlace = (calls: readonly RowCall[]): unknown =>
    calls.map(({ id, name, args }) => ({ id, name, args }));
  return isSameJson(withoutPlace(some), withoutPlace(others));
}

/** OpenAI's `tool_call_id`, the only id in the `tool_call_ids` of SWE-agent, or the `id` of tau2's results. */
function readCallId(message: JsonObject, pointer: string, issues: RowIssues): string | undefined {
  const id = issues.optionalText(message, "tool_call_id", pointer);
  if (id !== undefined) return id || undefined;
  const ids = issues.optionalList(message, "tool_call_ids", pointer);
  const [first] = ids;
  if (ids.length > 1 || (ids.length === 1 && typeof first !== "string")) {
    issues.refuse(`${pointer}/tool_call_ids`, "a list of one id", ids);
  }
  if (typeof first === "string" && first !== "") return first;
  const isCallId = message.requestor !== undefined;
  return (isCallId && issues.optionalText(message, "id", pointer)) || undefined;
}
