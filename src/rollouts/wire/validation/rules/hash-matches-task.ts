import {
  type EntryTypeName,
  isDpoRecord,
  isDpoTrainingRecord,
  isPpoRecord,
  isPpoTrainingRecord,
  type TaskHash,
  type TrainingMessage,
} from "#generated/index.js";
import { resolvePointer } from "../../../../base/json/pointer.js";
import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { DIGITS, taskHash } from "../../conversation/task-hash.js";
import type { RecordRule, RuleFault } from "./rule.js";

/** A task hash, its position, and the texts of which one must be its task. */
interface HashedTask {
  readonly pointer: string;
  readonly hash: TaskHash;
  /** Not empty. */
  readonly texts: readonly string[];
}

/**
 * Checks that the hash in the provenance is the hash of the record's task. In training records the task is one of
 * the user messages: earlier turns may come before it, and later ones after it. It may also be another's that the model
 * was given, because a branch can say who speaks its task. A record without any cannot be checked.
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
    if (texts.some((text) => isHead(hash, text))) return [{ pointer, ...HEAD_OF_TASK }];
    const actual = taskHash(texts[0] ?? "");
    const where =
      texts.length > 1 ? `, the hash of the first of ${texts.length} messages that may be it` : "";
    return [
      { pointer, message: `hash of a different task: is ${hash}, should be ${actual}${where}` },
    ];
  },
} as const satisfies RecordRule;

/** The cause of a hash that is no hash. */
export const HEAD = "first characters of the task";

const HEAD_OF_TASK = {
  message: `is the first ${DIGITS} characters of the task, not of its SHA-256`,
  cause: HEAD,
};

/** Whether a hash is what `task.slice(0, 16)` gives, in UTF-16 code units as in JavaScript, or in code points as in Python. */
function isHead(hash: string, task: string): boolean {
  if (hash === "") return false;
  return (
    hash === task.slice(0, DIGITS) ||
    hash === [...task.slice(0, 2 * DIGITS)].slice(0, DIGITS).join("")
  );
}

/**
 * The fault of a record whose hash has no valid form because it is the beginning of the task. The schema rejects it
 * without knowing why. `pointer` is what it rejects; undefined if that is no such hash.
 */
export function findHeadOfTask(record: JsonObject, pointer: string): RuleFault | undefined {
  if (!HASHES.includes(pointer)) return undefined;
  const hash = resolvePointer(record, pointer);
  const { prompt, messages } = record;
  const texts = Array.isArray(messages)
    ? messages.map((message: unknown) => (isJsonObject(message) ? message.content : undefined))
    : [prompt];
  const isFound = texts.some(
    (text) => typeof hash === "string" && typeof text === "string" && isHead(hash, text),
  );
  return isFound ? { pointer, ...HEAD_OF_TASK } : undefined;
}

/** Where records have the hash of their task. */
const [WIRE_HASH, TRAINING_HASH] = ["/provenance/n_gram_hash", "/provenance/task_hash"] as const;
const HASHES: readonly string[] = [WIRE_HASH, TRAINING_HASH];

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
  return { pointer: WIRE_HASH, hash: provenance.n_gram_hash, texts: [prompt] };
}

function hashedMessage(record: {
  readonly messages: readonly TrainingMessage[];
  readonly provenance: { readonly task_hash: TaskHash };
}): HashedTask | undefined {
  const { messages, provenance } = record;
  const users = messages.filter(({ role }) => role === "user");
  const others = messages.filter(
    ({ role, loss_mask: mask }) => mask === 0 && role !== "user" && role !== "tool",
  );
  const texts = [...users, ...others].map(({ content }) => content);
  if (texts.length === 0) return undefined;
  return { pointer: TRAINING_HASH, hash: provenance.task_hash, texts };
}
