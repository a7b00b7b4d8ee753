import { toPointerToken } from "../../../../base/json/pointer.js";
import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { previewValue } from "../../../../base/text.js";
import { isEmpty } from "../tally.js";
import type { RowIssues } from "./issues.js";

/** What is read of a message, to judge what is not. */
export interface ReadMessage {
  readonly isEmpty: boolean;
  /** Names of the calls that were read. */
  readonly calls: readonly string[];
}

/** A field that nothing reads. */
export interface UnreadField {
  readonly key: string;
  readonly value: unknown;
}

/** Counts the fields of an object that nothing reads, and returns them. */
export function skipFields(
  owner: JsonObject,
  read: { has(key: string): boolean },
  pointer: string,
  issues: RowIssues,
): readonly UnreadField[] {
  const unread = Object.entries(owner).filter(([key, value]) => !read.has(key) && !isEmpty(value));
  for (const [key, value] of unread) {
    issues.tally.skip(`${pointer}/${toPointerToken(key)}`, value);
  }
  return unread.map(([key, value]) => ({ key, value }));
}

/** Adds an error for each unread field of a message that looks like calls, or like the text of an empty message. */
export function checkUnread(
  fields: readonly UnreadField[],
  read: ReadMessage,
  pointer: string,
  issues: RowIssues,
): void {
  for (const { key, value } of fields) {
    const at = `${pointer}/${toPointerToken(key)}`;
    const names = findCallNames(value);
    const isKnown =
      names.length <= read.calls.length && names.every((name) => read.calls.includes(name));
    if (!isKnown) {
      const cause = `${previewValue(key)} looks like calls, and is not read`;
      issues.fail(
        "unread-calls",
        at,
        `${cause}: calls are read from "tool_calls" and parts`,
        cause,
      );
    } else if (read.isEmpty && holdsText(key, value)) {
      const cause = `${previewValue(key)} looks like text, and is not read`;
      issues.fail(
        "unread-text",
        at,
        `${cause}, and the message is empty: text is read from "content"`,
        cause,
      );
    }
  }
}

const NAME_KEYS = ["name", "toolName", "tool_name", "function_name"];
const ARGUMENT_KEYS = ["arguments", "args", "input", "parameters"];
/** Fields of definitions of tools, which have names and parameters, too. */
const DEFINITION_KEYS = ["description", "input_schema", "strict"];

/** Names of the calls in a value: an object with a name and arguments, a list of them, or an object with such a list. */
function findCallNames(value: unknown, levels = 2): readonly string[] {
  if (Array.isArray(value)) {
    const elements: readonly unknown[] = value;
    return elements.flatMap((element) => (isJsonObject(element) ? toCallName(element) : []));
  }
  if (!isJsonObject(value) || levels === 0) return [];
  const own = toCallName(value);
  if (own.length > 0) return own;
  return Object.values(value).flatMap((inner) => findCallNames(inner, levels - 1));
}

function toCallName(call: JsonObject): readonly string[] {
  const body = isJsonObject(call.function) ? call.function : call;
  const name = NAME_KEYS.map((key) => body[key]).find((each) => typeof each === "string");
  const isCall =
    ARGUMENT_KEYS.some((key) => isJsonObject(body[key]) || isJsonText(body[key])) &&
    !DEFINITION_KEYS.some((key) => Object.hasOwn(body, key));
  return isCall && typeof name === "string" ? [name] : [];
}

function isJsonText(value: unknown): boolean {
  return typeof value === "string" && /^\s*\{/.test(value);
}

/** Names of fields that hold what somebody says. */
const TEXT_KEY =
  /text|content|message|answer|response|reply|output|utterance|completion|body|value|thought|said/i;
/** Names of fields that do not, although they have such a word: labels, and what only the provider can read. */
const LABEL_KEY =
  /(?:id|ids|type|kind|tokens?|format|time|hash|role|name|model|index|count|length)$|^encrypted/i;
/** Words of the shortest text that is recognised without the name of its field. */
const TEXT_WORDS = 4;

function holdsText(key: string, value: unknown): boolean {
  if (typeof value === "string") {
    if (LABEL_KEY.test(key)) return false;
    return TEXT_KEY.test(key)
      ? value.trim() !== ""
      : value.trim().split(/\s+/).length >= TEXT_WORDS;
  }
  if (Array.isArray(value)) return value.some((element) => holdsText(key, element));
  return (
    isJsonObject(value) && Object.entries(value).some(([inner, each]) => holdsText(inner, each))
  );
}

/** Names of fields that hold a system prompt. */
const SYSTEM_KEY =
  /^(?:system|developer)(?:[_-]?(?:prompt|message|instructions?))?$|^instructions$/i;
/** Marks in texts at which the model saw a picture, or heard or saw a record. */
const PLACEHOLDER =
  /<\|?(?:image|video|audio|img|picture)(?:_?(?:pad|start|\d+))?\|?>|<\|vision_start\|>/i;
const MEDIA_KEY = /image|picture|photo|video|audio|media|frames?$/i;
const MEDIA_FILE =
  /^data:(?:image|video|audio)\/|\.(?:png|jpe?g|gif|webp|bmp|tiff?|mp[34]|wav|webm|mov|flac|ogg)$/i;

/** A message of a conversation, which shows what a field of its row may be. */
interface Spoken {
  readonly message: { readonly role: string; readonly content: string };
  readonly given?: boolean;
}

/** Adds an error for each unread field of a row that looks like a system prompt, pictures, or missing messages. */
export function checkUnreadRow(
  fields: readonly UnreadField[],
  spoken: readonly Spoken[],
  issues: RowIssues,
): void {
  if (fields.length === 0) return;
  const messages = spoken.map(({ message }) => message);
  const system = messages.filter(({ role }) => role === "system" || role === "developer");
  const marked = messages.find(({ content }) => PLACEHOLDER.test(content));
  const [mark = ""] = PLACEHOLDER.exec(marked?.content ?? "") ?? [];
  const isAnswered = spoken.some(({ message, given }) => message.role === "assistant" && !given);
  for (const { key, value } of fields) {
    const at = `/${toPointerToken(key)}`;
    const isSystem = typeof value === "string" && SYSTEM_KEY.test(key);
    if (isSystem && !system.some(({ content }) => content.includes(value.trim()))) {
      const cause = "looks like a system prompt, and is not read";
      const advice = key === "instructions" && system.length > 0 ? undefined : `--map system=${at}`;
      if (advice) issues.fail("unread-system", at, `${cause}: name its place by ${advice}`, cause);
    } else if (mark !== "" && looksLikeMedia(key, value)) {
      const cause = `belongs to ${mark} in a message: a branch holds text only`;
      issues.addUnplaced("message-part", at, cause);
    } else if (!isAnswered && looksLikeMessages(value)) {
      const cause = "looks like messages, and is not read";
      issues.fail("unread-messages", at, `${cause}: name its place by --map`, cause);
    }
  }
}

function looksLikeMedia(key: string, value: unknown): boolean {
  if (MEDIA_KEY.test(key)) return true;
  if (typeof value === "string") return MEDIA_FILE.test(value);
  if (Array.isArray(value)) return value.some((element) => looksLikeMedia("", element));
  return (
    isJsonObject(value) &&
    Object.entries(value).some(([inner, each]) => looksLikeMedia(inner, each))
  );
}

function looksLikeMessages(value: unknown): boolean {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const isMessage = (each: unknown): boolean =>
    isJsonObject(each) && (typeof each.role === "string" || typeof each.from === "string");
  return list.length > 0 && list.every(isMessage);
}
