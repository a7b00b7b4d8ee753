import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import type { ImportFault, RecordPart } from "../sources/source.js";
import { type ConvertedMessage, createConvertedReader, toPart } from "./converted.js";
import { type Form, hasKeys, packed } from "./form.js";
import { isResponseItem, toItemMessages } from "./responses-items.js";

/** Sessions of the Codex CLI: a JSONL file each, with items of the Responses API among events that repeat them. */
export const codex: Form = {
  id: "codex",
  purpose: "sessions of the Codex CLI",
  unit: "session",
  files: packed("**/rollout-*.jsonl"),
  joinsLines: true,
  options: [],
  recognise: (sample) =>
    sample.some((line) => hasKeys(line, "type", "payload") && line.type === "session_meta") ||
    (sample.length > 1 &&
      sample.slice(1).some(isResponseItem) &&
      hasKeys(sample[0], "id", "timestamp")),
  createReader: (settings) =>
    createConvertedReader(settings, { id: "codex" }, (value) => [toSession(value)]),
};

function toSession(value: unknown): RecordPart {
  const lines: [number: string, line: unknown][] =
    isJsonObject(value) || Array.isArray(value) ? Object.entries(value) : [];
  const messages: ConvertedMessage[] = [];
  let head: JsonObject = {};
  let fault: ImportFault | undefined;
  for (const [number, line] of lines) {
    if (!isJsonObject(line)) continue;
    const { type, payload } = line;
    if (type === "session_meta" && isJsonObject(payload)) {
      head = payload;
      messages.push(...toInstructions(payload, `/${number}/payload`));
    } else if (type === "response_item" && isJsonObject(payload)) {
      if (payload.type !== GHOST) messages.push(...place(payload, `/${number}/payload`));
    } else if (isResponseItem(line)) messages.push(...place(line, `/${number}`));
    else if (type === undefined && line.id !== undefined) {
      head = line;
      messages.push(...toInstructions(line, `/${number}`));
    } else if (type === "compacted") {
      const message = "the session was compacted: what the model saw then is not in it";
      fault ??= { id: "compacted", pointer: `/${number}`, message };
    }
  }
  const { id: session, instructions: _, base_instructions: __, ...fields } = head;
  return toPart({ pointer: "", messages, session, fields, fault });
}

/** A snapshot of the working folder: no part of the conversation. */
const GHOST = "ghost_snapshot";

function place(item: JsonObject, pointer: string): ConvertedMessage[] {
  return toItemMessages([item], "").map(([, message]) => [pointer, message]);
}

function toInstructions(head: JsonObject, pointer: string): ConvertedMessage[] {
  const { instructions, base_instructions: base } = head;
  const text = isJsonObject(base) ? base.text : (instructions ?? base);
  const key = isJsonObject(base) ? "base_instructions/text" : "instructions";
  if (typeof text !== "string" || text === "") return [];
  return [[`${pointer}/${key}`, { role: "system", content: text }]];
}
