import { inferEntryType } from "../../../base/json/entry-type.js";
import { scanJson } from "../../../base/json/tokens.js";
import { isJsonObject, tryParseJson } from "../../../base/json/value.js";
import { taskHash } from "../../wire/conversation/task-hash.js";
import { findHashedTask } from "../../wire/validation/rules/hash-matches-task.js";

/**
 * Replaces the task hash of a redacted record, given as JSON before and after redaction. Without that, a record whose
 * task contained a secret would break the rule `hash-matches-task`. A hash that did not match before is kept.
 */
export function rehashTask(text: string, redacted: string): string {
  if (text === redacted) return redacted;
  const before = hashedTaskOf(text);
  const after = hashedTaskOf(redacted);
  if (before === undefined || after === undefined) return redacted;
  const task = after.texts[before.texts.findIndex((each) => taskHash(each) === before.hash)];
  if (task === undefined) return redacted;
  const hash = taskHash(task);
  return hash === after.hash ? redacted : replaceString(redacted, after.pointer, hash);
}

function hashedTaskOf(text: string): ReturnType<typeof findHashedTask> {
  const record = tryParseJson(text);
  if (!isJsonObject(record)) return undefined;
  const type = inferEntryType(record);
  return type && findHashedTask(record, type);
}

function replaceString(json: string, pointer: string, by: string): string {
  for (const token of scanJson(json)) {
    if (token.kind !== "string" || token.pointer() !== pointer) continue;
    return json.slice(0, token.start) + JSON.stringify(by) + json.slice(token.end);
  }
  return json;
}
