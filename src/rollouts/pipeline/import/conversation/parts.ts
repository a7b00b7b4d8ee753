import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { previewValue } from "../../../../base/text.js";
import { toContent } from "../../../wire/conversation/messages.js";
import { type RowCall, readCall, readCallText } from "./calls.js";
import type { RowIssues } from "./issues.js";
import { skipFields } from "./unread.js";

/** Part types whose `text` is part of what is said: OpenAI's two APIs, and Anthropic's. */
const TEXT_TYPES: readonly unknown[] = ["text", "input_text", "output_text", undefined, null];
const REASONING_TYPES: readonly unknown[] = ["thinking", "reasoning"];
/** What a search for tools returns: the name of a tool, whose definition the provider then shows to the model. */
const TOOL_REFERENCE = "tool_reference";
const CALL_TYPES: readonly unknown[] = ["tool_use", "tool_call"];

/** Fields of parts that are read, by what the part is. */
const TEXT_FIELDS: ReadonlySet<string> = new Set(["type", "text", "value"]);
const NESTED_FIELDS: ReadonlySet<string> = new Set(["type", "tool_call", "value"]);
const THOUGHT_FIELDS: ReadonlySet<string> = new Set([
  ...["type", "thinking", "reasoning", "text", "value"],
]);
const RESULT_FIELDS: ReadonlySet<string> = new Set(["type", "tool_use_id", "content", "is_error"]);

/** What one speaker says in one message. */
export interface Speech {
  text: string;
  reasoning: string;
  readonly calls: RowCall[];
  /** Parts that a branch cannot hold. */
  readonly unplaced: unknown[];
}

/** What a tool returned, as a part of a message. */
export interface ResultPart {
  readonly pointer: string;
  readonly callId: string | undefined;
  /** What was returned, as text. */
  readonly text: string;
  /** What was returned; null if there is none. */
  readonly output: unknown;
  /** Whether the tool reports a failure. */
  readonly failed: boolean;
}

export const createSpeech = (): Speech => ({ text: "", reasoning: "", calls: [], unplaced: [] });

/** The parts of a message in order: speech, interrupted by results. */
export type Segment = Speech | ResultPart;

export const isResult = (segment: Segment): segment is ResultPart => "failed" in segment;

export const isSpeech = (segment: Segment): segment is Speech => !isResult(segment);

/**
 * Reads the content of a message: a text, null, or a list of parts of OpenAI or Anthropic. A part that no text
 * can express, such as an image, is added to the issues, because the branch would not contain what the model saw.
 */
export function readSegments(
  content: unknown,
  pointer: string,
  isAssistant: boolean,
  issues: RowIssues,
): Segment[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return [{ ...createSpeech(), text: content }];
  if (!Array.isArray(content)) {
    issues.refuse(pointer, "a string or an array of parts", content);
    return [];
  }
  const segments: Segment[] = [];
  const parts: readonly unknown[] = content;
  for (const [index, part] of parts.entries()) {
    const at = `${pointer}/${index}`;
    if (isJsonObject(part) && part.type === "tool_result") {
      segments.push(readResultPart(part, at, issues));
      continue;
    }
    const latest = segments.at(-1);
    const speech = latest === undefined || isResult(latest) ? createSpeech() : latest;
    if (speech !== latest) segments.push(speech);
    if (typeof part === "string") speech.text += part;
    else if (isJsonObject(part)) addPart(part, at, { speech, isAssistant }, issues);
    else issues.refuse(at, "a part", part);
  }
  return segments;
}

function addPart(
  part: JsonObject,
  pointer: string,
  { speech, isAssistant }: { readonly speech: Speech; readonly isAssistant: boolean },
  issues: RowIssues,
): void {
  const { type } = part;
  const text = textOf(part);
  if (text !== undefined) {
    skipFields(part, TEXT_FIELDS, pointer, issues);
    if (speech.calls.length > 0 && text !== "") issues.warn("part-order", pointer);
    speech.text += text;
  } else if (isAssistant && CALL_TYPES.includes(type)) {
    const nested = isJsonObject(part.tool_call) ? part.tool_call : undefined;
    const at = nested === undefined ? pointer : `${pointer}/tool_call`;
    const written = typeof part.value === "string" ? part.value : undefined;
    if (nested !== undefined || written !== undefined)
      skipFields(part, NESTED_FIELDS, pointer, issues);
    const calls =
      written === undefined
        ? [readCall(nested ?? part, at, issues)]
        : readCallText(written, `${pointer}/value`, issues);
    speech.calls.push(...calls);
  } else if (isAssistant && REASONING_TYPES.includes(type)) {
    const thought = [part.thinking, part.reasoning, part.text, part.value].find(
      (each) => typeof each === "string",
    );
    skipFields(part, THOUGHT_FIELDS, pointer, issues);
    if (typeof thought === "string") addReasoning(speech, thought);
    else issues.refuse(pointer, "a part with the text of its reasoning", part);
  } else if (isAssistant && type === "unparsed_tool_call" && keepsRawText(part, issues)) {
    speech.text += part.raw_text;
  } else if (isAssistant && type === "redacted_thinking") {
    issues.warn("unplaced-message", pointer);
  } else {
    addUnplaced(type, pointer, issues);
    speech.unplaced.push(part);
  }
}

/**
 * Tells whether a call that did not parse stays the text that the agent wrote. In rows made for training, it is
 * refused.
 */
export function keepsRawText(call: unknown, issues: RowIssues): call is { raw_text: string } {
  const isText = isJsonObject(call) && typeof call.raw_text === "string";
  return isText && issues.unplacedParts === "left-out";
}

/** Adds a thought after the earlier ones of a message. */
export function addReasoning(speech: Speech, thought: string): void {
  speech.reasoning += speech.reasoning === "" || thought === "" ? thought : `\n\n${thought}`;
}

function textOf({ type, value, text = value }: JsonObject): string | undefined {
  return TEXT_TYPES.includes(type) && typeof text === "string" ? text : undefined;
}

function addUnplaced(type: unknown, pointer: string, issues: RowIssues): void {
  const message = `is a part of type ${previewValue(type)}: a branch holds text only`;
  issues.addUnplaced("message-part", pointer, message);
}

/** Reads Anthropic's `{type: "tool_result", tool_use_id, content, is_error?}`. */
function readResultPart(part: JsonObject, pointer: string, issues: RowIssues): ResultPart {
  skipFields(part, RESULT_FIELDS, pointer, issues);
  return {
    pointer,
    callId: issues.optionalText(part, "tool_use_id", pointer),
    ...readOutput(part.content, `${pointer}/content`, issues),
    failed: part.is_error === true,
  };
}

/**
 * Reads what a tool returned. In the log of a run, a list with more than text is kept unchanged, and its JSON text
 * is what the model is told, as in an export.
 */
export function readOutput(
  content: unknown,
  pointer: string,
  issues: RowIssues,
): Pick<ResultPart, "text" | "output"> {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const isText = (part: unknown): boolean =>
    typeof part === "string" || (isJsonObject(part) && textOf(part) !== undefined);
  if (issues.unplacedParts === "left-out" && !parts.every(isText)) {
    return { text: toContent({ output: content, error: undefined }), output: content };
  }
  const text = readText(content, pointer, issues);
  return { text, output: content === undefined || content === null ? null : text };
}

/** Reads a content that can only be text: a string, null for none, or a list of text parts. */
export function readText(content: unknown, pointer: string, issues: RowIssues): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) {
    issues.refuse(pointer, "a string or an array of text parts", content);
    return "";
  }
  const parts: readonly unknown[] = content;
  const texts = parts.map((part, index) => {
    if (typeof part === "string") return part;
    const at = `${pointer}/${index}`;
    const { type, text }: JsonObject = isJsonObject(part)
      ? { ...part, text: textOf(part) }
      : { type: part };
    if (typeof text === "string") return text;
    if (type === TOOL_REFERENCE) issues.tally.skip(`${at}/${TOOL_REFERENCE}`, part);
    else addUnplaced(type, at, issues);
    return "";
  });
  return texts.join("");
}
