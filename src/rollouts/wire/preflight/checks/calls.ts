import { toPointerToken } from "../../../../base/json/pointer.js";
import { isJsonObject } from "../../../../base/json/value.js";
import { formatCount, previewValue } from "../../../../base/text.js";
import type { MessageStyle } from "../style.js";
import {
  fault,
  type PreflightFault,
  type RowCall,
  type RowMessage,
  type RowTools,
} from "../trainer-row.js";

/**
 * Finds calls without a result although somebody else speaks next, and results without a call. Results must follow the
 * calls that they answer. A call at the very end may be open: it is what the model learns.
 */
export function findPairFaults(messages: readonly RowMessage[]): PreflightFault[] {
  const faults: PreflightFault[] = [];
  let waiting: RowCall[] = [];
  const isTextual = messages.some(
    ({ value }) => "value" in value || value.role === "function_call",
  );
  for (const { role, calls, callId, pointer } of messages) {
    if (role !== "tool") {
      for (const call of waiting) faults.push(describeOpen(call));
      waiting = [...calls];
      continue;
    }
    const at = callId === undefined ? 0 : waiting.findIndex(({ id }) => (id ?? callId) === callId);
    if (waiting[at] === undefined) {
      const which = callId === undefined ? "" : ` to ${previewValue(callId)}`;
      const message = `a result${which} that follows no such call: put it after its call, or remove it`;
      faults.push(fault("stray-result", "error", pointer, message, "stray"));
      // In LLaMA-Factory's files, one turn holds the results of all calls of a turn.
    } else if (isTextual) waiting = [];
    else waiting.splice(at, 1);
  }
  return faults;
}

function describeOpen({ name, pointer }: RowCall): PreflightFault {
  const message = `the call of ${previewValue(name)} has no result before somebody else speaks: add its result, or remove it`;
  return fault("unanswered-call", "error", pointer, message, "open");
}

/** Finds definitions that are none, calls of tools that are not declared, and calls without any declared tool. */
export function findToolFaults(
  tools: RowTools | undefined,
  messages: readonly RowMessage[],
): PreflightFault[] {
  const calls = messages.flatMap((message) => message.calls);
  if (tools === undefined) {
    const [first] = calls;
    if (first === undefined) return [];
    const count = formatCount(calls.length, "call");
    const message = `${count}, and the row declares no tools: the model sees calls of tools that it was never offered`;
    return [fault("missing-tools", "warning", first.pointer, message, "missing")];
  }
  const faults: PreflightFault[] = [];
  const known = new Set([""]);
  for (const [index, definition] of tools.definitions.entries()) {
    const { name } = readFunction(definition);
    if (typeof name === "string") known.add(name);
    else {
      const pointer = tools.isText ? tools.pointer : `${tools.pointer}/${index}`;
      const message = `definition ${index + 1} has no function name`;
      faults.push(fault("tool-definition", "error", pointer, message, "no name"));
    }
  }
  for (const { name, pointer } of calls) {
    if (known.has(name)) continue;
    known.add(name);
    const message = `calls ${previewValue(name)}, which ${tools.pointer} does not declare`;
    faults.push(fault("undeclared-tool", "warning", pointer, message, name));
  }
  return faults;
}

function readFunction(definition: unknown): Readonly<Record<string, unknown>> {
  if (!isJsonObject(definition)) return {};
  return isJsonObject(definition.function) ? definition.function : definition;
}

/** Keys whose nulls have a meaning in JSON Schema. */
const MEANINGFUL = new Set(["default", "const", "enum", "examples"]);

/**
 * Finds nulls that Arrow adds where one record lacks a field of another: in definitions and arguments, which chat templates
 * print, and in messages, where they are not the same as absent fields.
 */
export function findNullFaults(
  tools: RowTools | undefined,
  messages: readonly RowMessage[],
  { nulls }: Pick<MessageStyle, "nulls">,
): PreflightFault[] {
  if (nulls === "removed") return [];
  // Hot path: most rows hold none.
  const parts: unknown[] = [tools?.definitions, ...messages.map(({ value }) => value)];
  const args = messages.flatMap(({ calls }) => calls.map((call) => call.args));
  if (![...parts, ...args].some(hasNull)) return [];
  const faults: PreflightFault[] = [];
  const effect = nulls === "printed" ? "chat templates print it" : "the API rejects it";
  const parameters = new Map<string, ReadonlySet<string>>();
  for (const [index, definition] of (tools?.definitions ?? []).entries()) {
    const { name, parameters: schema } = readFunction(definition);
    const properties =
      isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
    if (typeof name === "string") parameters.set(name, new Set(Object.keys(properties)));
    const at = findNull(definition, `${tools?.pointer}/${index}`);
    if (at === undefined) continue;
    const message = `null in a definition, as Arrow adds for fields of other tools: ${effect}; remove it`;
    const pointer = tools?.isText ? tools.pointer : at;
    faults.push(fault("null-value", "error", pointer, message, "definition"));
    break;
  }
  for (const call of messages.flatMap(({ calls }) => calls)) {
    if (!isJsonObject(call.args)) continue;
    const declared = parameters.get(call.name);
    const key = Object.keys(call.args).find(
      (name) => isJsonObject(call.args) && call.args[name] === null && !declared?.has(name),
    );
    if (key === undefined) continue;
    const severity = declared === undefined ? "warning" : "error";
    const owner = declared === undefined ? "" : `, which ${call.name} does not declare`;
    const message = `argument ${previewValue(key)} is null${owner}: ${effect}; remove it`;
    faults.push(fault("null-value", severity, call.argsPointer, message, "argument"));
  }
  const padded = messages.filter(({ value }) =>
    Object.entries(value).some(([key, field]) => field === null && key !== "content"),
  );
  const [first] = padded;
  if (first !== undefined) {
    const count = formatCount(padded.length, "message");
    const message = `null fields in ${count}: templates that ask whether a field is there take it for one; remove them`;
    faults.push(fault("null-value", "warning", first.pointer, message, "field"));
  }
  return faults;
}

/** Whether a null is anywhere in a value. */
function hasNull(value: unknown): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.some(hasNull);
  if (!isJsonObject(value)) return false;
  for (const key in value) if (hasNull(value[key])) return true;
  return false;
}

/** The first null in a value, as a pointer. */
function findNull(value: unknown, pointer: string): string | undefined {
  if (value === null) return pointer;
  const entries: Iterable<readonly [string | number, unknown]> = Array.isArray(value)
    ? value.entries()
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  for (const [key, child] of entries) {
    if (MEANINGFUL.has(String(key))) continue;
    const found = findNull(child, `${pointer}/${toPointerToken(String(key))}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
