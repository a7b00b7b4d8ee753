import type { ToolDefinition } from "#generated/index.js";
import { isJsonObject, type JsonObject, tryParseJson } from "../../../../base/json/value.js";
import { type RowCall, readCall } from "./calls.js";
import { RowIssues } from "./issues.js";
import { parseJsonText } from "./json-text.js";
import { parsePythonLiteral } from "./python-literal.js";

/** A turn whose calls are written in its text. */
export interface WrittenTurn {
  /** The text before the calls. */
  readonly before: string;
  /** The text after them, which is usually empty. */
  readonly after: string;
  readonly calls: readonly Omit<RowCall, "pointer">[];
}

const CALL_TAG = ["<tool_call>", "</tool_call>"] as const;
const RESULT_TAG = ["<tool_response>", "</tool_response>"] as const;
const FUNCTION_TAG = ["<function=", "</function>"] as const;
const PARAMETER_TAG = ["<parameter=", "</parameter>"] as const;

/** A call of ReAct. What follows `Action Input:` is its arguments, to the end of the text. */
const ACTION = /^Action:[ \t]*(\S.*)\n+Action Input:/m;
/** A result as a user message: of ReAct, of SWE-agent, and of OpenHands without function calling. */
const OBSERVATION = /^\s*(?:observation:|execution result of \[[^\]\n]*\]:)[ \t]*\n?/i;

/** Tells whether a text may contain calls. */
export function mayHoldCalls(text: string): boolean {
  return text.includes(CALL_TAG[0]) || text.includes(FUNCTION_TAG[0]) || ACTION.test(text);
}

/**
 * Reads calls that are written in a text: JSON or Python between the `<tool_call>` tags of Hermes and Qwen,
 * `<function=name>` with `<parameter=name>` of OpenHands, SWE-smith and Qwen-Coder, or `Action:` and `Action Input:` of
 * ReAct. Undefined unless all of them can be read.
 */
export function readWrittenTurn(
  text: string,
  tools: readonly ToolDefinition[] | undefined,
): WrittenTurn | undefined {
  const tagged = splitTags(text, CALL_TAG);
  if (tagged !== undefined) {
    return toTurn(tagged, (body) =>
      body.trimStart().startsWith(FUNCTION_TAG[0])
        ? readFunctions(body.trim(), tools)
        : readCallText(body.trim()),
    );
  }
  const functions = splitTags(text, FUNCTION_TAG);
  if (functions !== undefined) return toTurn(functions, (body) => readFunction(body, tools));
  const action = text.includes(CALL_TAG[0]) ? null : ACTION.exec(text);
  if (action === null) return undefined;
  const [found, name = ""] = action;
  const args = parseObject(text.slice(action.index + found.length).trim());
  if (args === undefined) return undefined;
  const before = text.slice(0, action.index).trimEnd();
  return { before, after: "", calls: [{ id: undefined, name: name.trim(), args }] };
}

/** The results in the text of a tool's message. Without tags, it is one. */
export function readToolResults(text: string): readonly string[] {
  return readTaggedResults(text) ?? [text];
}

/** The results in a user message that consists of nothing else; undefined if it is no such message. */
export function readUserResults(text: string): readonly string[] | undefined {
  const [label] = OBSERVATION.exec(text) ?? [];
  return label === undefined ? readTaggedResults(text) : [text.slice(label.length)];
}

function readTaggedResults(text: string): readonly string[] | undefined {
  const tagged = splitTags(text, RESULT_TAG);
  if (tagged === undefined || `${tagged.before}${tagged.after}`.trim() !== "") return undefined;
  return tagged.bodies.map(withoutBreaks);
}

interface TaggedText {
  readonly before: string;
  readonly bodies: readonly string[];
  readonly after: string;
}

/** Splits a text at pairs of tags. Undefined if it has none, or if a tag is not closed or opened. */
function splitTags(
  text: string,
  [open, close]: readonly [open: string, close: string],
): TaggedText | undefined {
  const first = text.indexOf(open);
  if (first < 0) return undefined;
  const bodies: string[] = [];
  let after = "";
  let end = first;
  for (let start = first; start >= 0; start = text.indexOf(open, end)) {
    after += text.slice(end, start);
    const closing = text.indexOf(close, start);
    if (closing < 0) return undefined;
    bodies.push(text.slice(start + open.length, closing));
    end = closing + close.length;
  }
  after += text.slice(end);
  if (after.includes(close)) return undefined;
  return { before: text.slice(0, first).trimEnd(), bodies, after: after.trim() };
}

type WrittenCall = WrittenTurn["calls"][number];

function toTurn(
  { before, bodies, after }: TaggedText,
  read: (body: string) => readonly WrittenCall[] | undefined,
): WrittenTurn | undefined {
  const calls = bodies.map(read);
  if (!calls.every((each) => each !== undefined)) return undefined;
  return { before, after, calls: calls.flat() };
}

/** Reads `{name, arguments}`, or a list of them. Nothing may be missing, and nothing may be left over. */
function readCallText(text: string): readonly WrittenCall[] | undefined {
  const { value = parsePythonLiteral(text) } = parseJsonText(text);
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const calls = list.map((call) => {
    if (!isJsonObject(call)) return undefined;
    const issues = new RowIssues();
    const { id, name, args } = readCall(call, "", issues);
    const isWhole = issues.faults.length + issues.warnings.length === 0 && isJsonObject(args);
    return isWhole && name !== "" ? { id, name, args } : undefined;
  });
  return calls.length > 0 && calls.every((call) => call !== undefined) ? calls : undefined;
}

function parseObject(text: string): JsonObject | undefined {
  const { value = parsePythonLiteral(text) } = parseJsonText(text);
  return isJsonObject(value) ? value : undefined;
}

function readFunctions(
  text: string,
  tools: readonly ToolDefinition[] | undefined,
): readonly WrittenCall[] | undefined {
  const tagged = splitTags(text, FUNCTION_TAG);
  if (tagged === undefined || `${tagged.before}${tagged.after}` !== "") return undefined;
  return toTurn(tagged, (body) => readFunction(body, tools))?.calls;
}

/** Reads what follows `<function=`: a name, and parameters with their values, or a JSON object as in Llama. */
function readFunction(
  text: string,
  tools: readonly ToolDefinition[] | undefined,
): readonly WrittenCall[] | undefined {
  const [name, body] = splitName(text);
  if (name === "" || body === undefined) return undefined;
  const schema = tools?.find((tool) => tool.function.name === name)?.function.parameters;
  const parameters = splitTags(body, PARAMETER_TAG);
  if (parameters === undefined) {
    const args = body.trim() === "" ? {} : parseObject(body.trim());
    return args && [{ id: undefined, name, args }];
  }
  const { before, bodies, after } = parameters;
  const entries = bodies.map(splitName);
  const names = new Set(entries.map(([key]) => key));
  const isWhole = names.size === bodies.length && !names.has("") && `${before}${after}` === "";
  if (!isWhole) return undefined;
  const args = entries.map(([key, value = ""]) => [
    key,
    readValue(withoutBreaks(value), typeOf(schema, key)),
  ]);
  return [{ id: undefined, name, args: Object.fromEntries(args) }];
}

/** Splits `name>text`. */
function splitName(text: string): readonly [name: string, body: string | undefined] {
  const end = text.indexOf(">");
  return end < 0 ? ["", undefined] : [text.slice(0, end).trim(), text.slice(end + 1)];
}

function typeOf(schema: unknown, key: string): unknown {
  const properties = isJsonObject(schema) ? schema.properties : undefined;
  const property = isJsonObject(properties) && Object.hasOwn(properties, key) && properties[key];
  return isJsonObject(property) ? property.type : undefined;
}

/** The types whose values are written as JSON; a text is written as it is. */
const JSON_TYPES: readonly unknown[] = ["integer", "number", "boolean", "array", "object"];

function readValue(text: string, type: unknown): unknown {
  if (!JSON_TYPES.includes(type)) return text;
  const value = /^\s*[[{]/.test(text) ? parseJsonText(text).value : tryParseJson(text);
  const read = value ?? parsePythonLiteral(text);
  const kind = Array.isArray(read) ? "array" : typeof read;
  const isTyped = kind === type || (type === "integer" && Number.isSafeInteger(read));
  return isTyped && String(read) !== "null" ? read : text;
}

/** Templates put a line break after an opening tag, and one before a closing tag. */
function withoutBreaks(text: string): string {
  return text.replace(/^\n/, "").replace(/\n$/, "");
}
