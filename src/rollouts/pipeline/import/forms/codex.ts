import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { formatCount } from "../../../../base/text.js";
import type { ImportFault, RecordPart } from "../reader.js";
import { Tally } from "../tally.js";
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
  let head: JsonObject | undefined;
  let fault: ImportFault | undefined;
  let given: number | undefined;
  const tally = new Tally();
  const warnings: ImportFault[] = [];
  for (const [number, line] of lines) {
    if (!isJsonObject(line)) continue;
    const { type } = line;
    const isWrapped = isJsonObject(line.payload);
    const payload = isJsonObject(line.payload) ? line.payload : line;
    const at = isWrapped ? `/${number}/payload` : `/${number}`;
    if (type === "session_meta" || (type === undefined && line.id !== undefined)) {
      // A session that goes on from another one has that one's head after its own.
      if (!messages.some(isInstructions)) messages.push(...toInstructions(payload, at));
      head ??= payload;
    } else if (
      isWrapped ? type === "response_item" && payload.type !== GHOST : isResponseItem(line)
    ) {
      messages.push(...place(payload, at));
    } else if (type === "compacted") {
      const history: unknown = payload.replacement_history;
      if (Array.isArray(history)) {
        const seen = toItemMessages(history, `${at}/replacement_history`);
        const lost = replaceSpoken(messages, 0, seen);
        given = messages.length;
        warnings.push(leaveOut("compacted", `/${number}`, lost, "before a compaction"));
      } else {
        const message = "the session was compacted: what the model saw then is not in it";
        fault ??= { id: "compacted", pointer: `/${number}`, message };
      }
    } else if (payload.type === ROLLED_BACK && Number(payload.num_turns) > 0) {
      const asked = messages.flatMap((each, index) => (isQuestion(each) ? [index] : []));
      const first = asked.at(-Number(payload.num_turns)) ?? 0;
      given = given && Math.min(given, first);
      const lost = replaceSpoken(messages, first, []);
      warnings.push(leaveOut("rolled-back", `/${number}`, lost, "of turns that were rolled back"));
    } else
      tally.skip(
        `/${number}/${[type, isWrapped && payload.type].filter(Boolean).join("/")}`,
        payload,
      );
  }
  const { id: session, instructions: _, base_instructions: __, ...fields } = head ?? {};
  return toPart({ pointer: "", messages, session, fields, given, fault, warnings, tally });
}

/** A snapshot of the working folder: no part of the conversation. */
const GHOST = "ghost_snapshot";
const ROLLED_BACK = "thread_rolled_back";

/** Tells whether a user asks. What the program adds in the user's name stands between tags. */
function isQuestion([, { role, content }]: ConvertedMessage): boolean {
  const [part]: readonly unknown[] = Array.isArray(content) ? content : [{ text: content }];
  return role === "user" && !(isJsonObject(part) && /^</.test(String(part.text)));
}

const isInstructions = ([, { role }]: ConvertedMessage): boolean => role === "system";

/** Replaces the messages from `first` on, but for the instructions. Returns the number of those that the model no longer saw. */
function replaceSpoken(
  messages: ConvertedMessage[],
  first: number,
  by: readonly ConvertedMessage[],
): number {
  const lost = messages.splice(first);
  messages.push(...lost.filter(isInstructions), ...by);
  return lost.filter((message) => !isInstructions(message)).length;
}

function leaveOut(id: string, pointer: string, count: number, why: string): ImportFault {
  const cause = `${why} left out: the model no longer saw them`;
  return { id, pointer, message: `${formatCount(count, "item")} ${cause}`, cause };
}

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
