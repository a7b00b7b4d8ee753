import type { TaskHash } from "#generated/index.js";
import { sha256Hex } from "../../../base/sha256-hex.js";

/** Length of the hash in hexadecimal digits: the pattern of `rollout-wire#/$defs/TaskHash`. */
export const DIGITS = 16;

/**
 * Computes the `TaskHash` of the schema: the first 16 lower-case hexadecimal digits of the SHA-256 of the
 * task's UTF-8 bytes. It is `n_gram_hash` in Layer 2 and `task_hash` in Layer 3.
 *
 * The task is hashed unchanged: not trimmed, not normalised. A lone surrogate has no UTF-8 encoding and counts
 * as U+FFFD, as in every UTF-8 encoder of the web platform. Python's encoder raises an error instead; to get
 * the same hash there, use `re.sub("[\ud800-\udfff]", "\ufffd", task).encode()`. This only replaces lone
 * surrogates, because `json.loads` joins paired ones.
 */
export function taskHash(task: string): TaskHash {
  if (task !== latest?.task) latest = { task, hash: sha256Hex(task).slice(0, DIGITS) };
  return latest.hash;
}

/** Cached, because the branches of a rollout are adjacent and have the same task. */
let latest: { readonly task: string; readonly hash: TaskHash } | undefined;
