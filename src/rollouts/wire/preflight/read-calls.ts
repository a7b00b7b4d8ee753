import { isJsonObject, type JsonObject, tryParseJson } from "../../../base/json/value.js";
import { previewValue } from "../../../base/text.js";
import type { MessageStyle } from "./style.js";
import { fault, type PreflightFault, type RowCall } from "./trainer-row.js";

/** A message, the name of its role as written, and its content. */
interface WrittenMessage {
  readonly value: JsonObject;
  readonly name: unknown;
  readonly content: unknown;
  readonly contentPointer: string;
}

/** LLaMA-Factory's role for calls, which are JSON text in the content, perhaps after other text and between tags. */
const CALL_ROLE = "function_call";
const CALL_TEXT = /<tool_call>([\s\S]*?)<\/tool_call>/g;

/** Fields of a message that hold calls elsewhere. A trainer that reads `tool_calls` drops them. */
const LOST_CALLS = ["function_call", "function_calls", "toolCalls", "tool_call", "toolcalls"];

/** Reads the calls of a message, and adds what is wrong with them to `faults`. */
export function readCalls(
  { value, name, content, contentPointer }: WrittenMessage,
  pointer: string,
  style: MessageStyle,
  faults: PreflightFault[],
): RowCall[] {
  for (const field of LOST_CALLS) {
    if (value[field] == null) continue;
    const message = `calls in "${field}" are not read: write them as "tool_calls"`;
    faults.push(fault("call-arguments", "error", `${pointer}/${field}`, message));
  }
  if (name === CALL_ROLE) return readTextCalls(content, contentPointer, pointer, faults);
  const calls = value.tool_calls;
  if (calls == null) return [];
  if (!Array.isArray(calls)) {
    const message = `must be a list of calls, is ${previewValue(calls)}`;
    faults.push(fault("call-arguments", "error", `${pointer}/tool_calls`, message));
    return [];
  }
  return calls.map((call, index) => {
    const read = readCall(call, `${pointer}/tool_calls/${index}`, style);
    faults.push(...read.faults);
    return read.call;
  });
}

function readCall(
  call: unknown,
  pointer: string,
  style: MessageStyle,
): { readonly call: RowCall; readonly faults: PreflightFault[] } {
  const { id, function: wrapped } = isJsonObject(call) ? call : {};
  const definition = isJsonObject(wrapped) ? wrapped : undefined;
  const flat = isJsonObject(call) ? call : {};
  const { name, arguments: args } = definition ?? flat;
  const argsPointer = `${pointer}${definition === undefined ? "" : "/function"}/arguments`;
  const read: RowCall = {
    pointer,
    id: typeof id === "string" ? id : undefined,
    name: typeof name === "string" ? name : "",
    args,
    argsPointer,
  };
  const faults: PreflightFault[] = [];
  const add = (at: string, message: string, cause?: string): void => {
    faults.push(fault("call-arguments", "error", at, message, cause));
  };
  if (read.name === "") add(pointer, "has no function name");
  if (style.needsCallIds && read.id === undefined) add(pointer, "has no id");
  const problem = findArgumentsProblem(args, style.args);
  if (problem !== undefined) add(args === undefined ? pointer : argsPointer, problem);
  return { call: read, faults };
}

/** Why a trainer cannot take these arguments, and what to do; undefined if it can. */
function findArgumentsProblem(args: unknown, wanted: MessageStyle["args"]): string | undefined {
  if (typeof args === "string") {
    const parsed = tryParseJson(args);
    if (typeof parsed === "string" && isContainerText(parsed)) {
      return "are JSON text of JSON text: encode them once";
    }
    if (wanted !== "object") return undefined;
    return "are text: chat templates encode it a second time, or fail; give an object";
  }
  if (args == null) return `are ${args === null ? "null" : "missing"}: give {} if there are none`;
  if (!isJsonObject(args)) return `must be an object, are ${previewValue(args)}`;
  return wanted === "text" ? "must be JSON text, are an object" : undefined;
}

function isContainerText(text: string): boolean {
  return /^\s*[{[]/.test(text) && tryParseJson(text) !== undefined;
}

/** Calls as LLaMA-Factory parses them: one object, or a list of them. */
function readTextCalls(
  content: unknown,
  contentPointer: string,
  pointer: string,
  faults: PreflightFault[],
): RowCall[] {
  const text = typeof content === "string" ? content : "";
  const tagged = [...text.matchAll(CALL_TEXT)].map(([, inner = ""]) => inner);
  const parsed = (tagged.length > 0 ? tagged : [text]).map((each) => tryParseJson(each));
  const calls = parsed.flat();
  const isCall = (call: unknown): call is JsonObject =>
    isJsonObject(call) && typeof call.name === "string" && isJsonObject(call.arguments);
  if (calls.length > 0 && calls.every(isCall)) {
    return calls.map(({ name, arguments: args }) => ({
      pointer,
      id: undefined,
      name: String(name),
      args,
      argsPointer: contentPointer,
    }));
  }
  const message = 'must be JSON text of {"name": ..., "arguments": {...}}, or of a list of them';
  faults.push(fault("call-arguments", "error", pointer, message));
  return [];
}
