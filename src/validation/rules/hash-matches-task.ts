import {
  type EntryTypeName,
  isDpoRecord,
  isDpoTrainingRecord,
  isPpoRecord,
  isPpoTrainingRecord,
  type Message,
  type TaskHash,
} from "#generated/index.js";
import { taskHash } from "../../export/task-hash.js";
import type { JsonObject } from "../../json/value.js";
import type { RecordRule } from "./rule.js";

/** A task hash, its position, and the task it should be the hash of. */
interface HashedTask {
  readonly pointer: string;
  readonly hash: TaskHash;
  readonly task: string;
}

/**
 * Checks that the hash in the provenance is the hash of the record's task. In training records the task is the
 * first user message. A record without one cannot be checked.
 */
export const hashMatchesTask = {
  id: "hash-matches-task",
  purpose: "the hash in the provenance is the hash of the record's own task",
  scope: "record",
  check(record, type) {
    const found = findHashedTask(record, type);
    if (found === undefined) return [];
    const actual = taskHash(found.task);
    if (actual === found.hash) return [];
    const message = `hash of a different task: is ${found.hash}, should be ${actual}`;
    return [{ pointer: found.pointer, message }];
  },
} as const satisfies RecordRule;

/** The task hash in a record and the task it should be the hash of; undefined if the record has none. */
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
  return { pointer: "/provenance/n_gram_hash", hash: provenance.n_gram_hash, task: prompt };
}

function hashedMessage(record: {
  readonly messages: readonly Message[];
  readonly provenance: { readonly task_hash: TaskHash };
}): HashedTask | undefined {
  const { messages, provenance } = record;
  const task = messages.find(({ role }) => role === "user")?.content;
  if (task === undefined) return undefined;
  return { pointer: "/provenance/task_hash", hash: provenance.task_hash, task };
}
