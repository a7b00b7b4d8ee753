import type { MessageFunctionCall } from "#generated/index.js";
import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import type { RowIssues } from "./issues.js";
import { parseJsonText } from "./json-text.js";
import { skipFields } from "./unread.js";

/** A call as a row holds it. */
export interface RowCall {
  readonly pointer: string;
  /** Undefined if the row has none, or an empty one. */
  readonly id: string | undefined;
  readonly name: string;
  readonly args: MessageFunctionCall["arguments"];
  /** Whether the row holds its arguments as a text. */
  readonly isText?: boolean;
}

/** Reads `{id, function: {name, arguments}}`, or the same without `function`. */
export function readCall(call: JsonObject, pointer: string, issues: RowIssues): RowCall {
  const nested = issues.optionalObject(call, "function", pointer);
  const [body, at] = nested === undefined ? [call, pointer] : [nested, `${pointer}/function`];
  const known = new Set(["id", "type", "function", "name", findArguments(body) ?? ""]);
  if (nested !== undefined) skipFields(call, CALL_FIELDS, pointer, issues);
  skipFields(body, known, at, issues);
  return {
    pointer,
    id: issues.optionalText(call, "id", pointer) || undefined,
    name: issues.text(body, "name", at),
    args: readArguments(body, pointer, at, issues),
    isText: typeof body[findArguments(body) ?? ""] === "string",
  };
}

const CALL_FIELDS: ReadonlySet<string> = new Set(["id", "type", "function"]);

/** Keys of a call's arguments in the formats of OpenAI, LangChain, Anthropic and Llama. */
const ARGUMENT_KEYS = ["arguments", "args", "input", "parameters"] as const;

/** Levels above a call's arguments in a branch: `/turns/0/tool_calls/0/function/arguments`. */
const LEVELS_ABOVE = 6;

/**
 * Reads the arguments of a call, an object or text. Text that is exactly a JSON object becomes that object. Any
 * other text stays, as the agent wrote it. `pointer` is that of the whole call, `at` that of `body`.
 */
export function readArguments(
  body: JsonObject,
  pointer: string,
  at: string,
  issues: RowIssues,
): RowCall["args"] {
  const key = findArguments(body);
  const given = key === undefined ? undefined : body[key];
  if (given === undefined) issues.warn("no-arguments", pointer);
  if (given === undefined || given === null) return {};
  if (isJsonObject(given)) return given;
  if (typeof given === "string") {
    const { value } = parseJsonText(given, LEVELS_ABOVE);
    return isJsonObject(value) ? value : given;
  }
  issues.refuse(at, "a call whose arguments are an object or a text", given);
  return {};
}

/** The key of a call's arguments: the first that has any. */
function findArguments(body: JsonObject): string | undefined {
  const keys = ARGUMENT_KEYS.filter((key) => Object.hasOwn(body, key));
  return keys.find((each) => body[each] !== null) ?? keys[0];
}

/** Reads the elements of `tool_calls`: objects, or each as JSON text. */
export function readCalls(
  list: readonly unknown[],
  pointer: string,
  issues: RowIssues,
): readonly RowCall[] {
  return list.flatMap((element, index): RowCall[] => {
    const at = `${pointer}/${index}`;
    if (isJsonObject(element)) return [readCall(element, at, issues)];
    if (typeof element === "string") return readCallText(element, at, issues);
    issues.refuse(at, "an object", element);
    return [];
  });
}

/** Tags around the calls in a turn of LLaMA-Factory and Qwen. */
const TAGGED = /<tool_call>(.*?)<\/tool_call>/gs;

/** Reads calls written as JSON: an object or a list of them. */
export function readCallText(text: string, pointer: string, issues: RowIssues): RowCall[] {
  const { value, problem } = parseJsonText(text);
  const calls: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (problem === undefined && calls.length > 0 && calls.every(isJsonObject)) {
    return calls.map((call) => {
      const inner = issues.createInner();
      const read = { ...readCall(call, "", inner), pointer };
      issues.addInner(inner, pointer);
      return read;
    });
  }
  issues.fail("call-text", pointer, `must be calls as JSON text; it ${problem ?? "has no object"}`);
  return [];
}

/** What a `function_call` turn of ShareGPT says: its calls, and the text before tagged ones. */
export function readCallTurn(
  text: string,
  pointer: string,
  issues: RowIssues,
): { readonly text: string; readonly calls: readonly RowCall[] } {
  const tagged = [...text.matchAll(TAGGED)];
  const first = tagged[0]?.index;
  if (first === undefined || /^\s*[[{]/.test(text)) {
    return { text: "", calls: readCallText(text, pointer, issues) };
  }
  const calls = tagged.flatMap(([, json = ""]) => readCallText(json, pointer, issues));
  const before = text.slice(0, first).replace(/\n$/, "");
  const after = text.slice(first).replace(TAGGED, "").trim();
  if (after !== "") issues.warn("part-order", pointer);
  return { text: before + after, calls };
}
