import {
  type EntryTypeName,
  isDpoRecord,
  isDpoTrainingRecord,
  isPpoRecord,
  isPpoTrainingRecord,
  type Message,
  type TaskHash,
} from "#generated/index.js";
import type { JsonObject } from "../../../../base/json/value.js";
import { taskHash } from "../../conversation/task-hash.js";
import type { RecordRule } from "./rule.js";

/** A task hash, its position, and the texts of which one must be its task. */
interface HashedTask {
  readonly pointer: string;
  readonly hash: TaskHash;
  /** Not empty. */
  readonly texts: readonly string[];
}

/**
 * Checks that the hash in the provenance is the hash of the record's task. In training records the task is one of
 * the user messages: earlier turns may come before it, and later ones after it. A record without one cannot be
 * checked.
 */
export const hashMatchesTask = {
  id: "hash-matches-task",
  purpose: "the hash in the provenance is the hash of the record's own task",
  scope: "record",
  check(record, type) {
    const found = findHashedTask(record, type);
    if (found === undefined) return [];
    const { pointer, hash, texts } = found;
    if (texts.some((text) => taskHash(text) === hash)) return [];
    const actual = taskHash(texts[0] ?? "");
    const where =
      texts.length > 1 ? `, the hash of the first of ${texts.length} user messages` : "";
    return [
      { pointer, message: `hash of a different task: is ${hash}, should be ${actual}${where}` },
    ];
  },
} as const satisfies RecordRule;

/** The task hash in a record, and the texts of which one must be its task; undefined if the record has none. */
export function findHashedTask(record: JsonObject, type: EntryTypeName): HashedTask | undefined {
  // Records are open, so one may be valid for several types. `type` determines which is meant.
  if (type === "DpoRecord" && isDpoRecord(record)) return hashedPrompt(record);
  if (type === "PpoRecord" && isPpoRecord(record)) return hashedPrompt(record);
  if (type === "DpoTrainingRecord" && isDpoTrainingRecord(record)) return hashedMessage(record);
  if (type === "PpoTrainingRecord" && isPpoTrainingRecord(record)) return hashedMessage(record);
  return undefined;
}

function hashedPrompt(record: {
  readonly prompt: string;
  readonly provenance: { readonly n_gram_hash: TaskHash };
}): HashedTask {
  const { prompt, provenance } = record;
  return { pointer: "/provenance/n_gram_hash", hash: provenance.n_gram_hash, texts: [prompt] };
}

function hashedMessage(record: {
  readonly messages: readonly Message[];
  readonly provenance: { readonly task_hash: TaskHash };
}): HashedTask | undefined {
  const { messages, provenance } = record;
  const texts = messages.filter(({ role }) => role === "user").map(({ content }) => content);
  if (texts.length === 0) return undefined;
  return { pointer: "/provenance/task_hash", hash: provenance.task_hash, texts };
}
