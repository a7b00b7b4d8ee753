import { createHash } from "node:crypto";
import type { TaskHash } from "#generated/index.js";

/** Length of the hash in hexadecimal digits: the pattern of `rollout-wire#/$defs/TaskHash`. */
const DIGITS = 16;

/**
 * The `TaskHash` of the schema: the first 16 lower-case hexadecimal digits of the SHA-256 of the task's
 * UTF-8 bytes; `n_gram_hash` of Layer 2 and `task_hash` of Layer 3.
 *
 * The task is hashed as it is: not trimmed, not normalised. A lone surrogate has no UTF-8 bytes and
 * counts as U+FFFD, as every UTF-8 encoder of the web platform has it. Python's does not and raises;
 * the same hash is had there with `re.sub("[\ud800-\udfff]", "\ufffd", task).encode()`, which
 * touches lone surrogates only, since `json.loads` joins the paired ones.
 */
export function taskHash(task: string): TaskHash {
  if (task !== latest.task) latest = { task, hash: hashOf(task) };
  return latest.hash;
}

/** The branches of a rollout follow each other, and have one task. */
let latest = { task: "", hash: hashOf("") };

function hashOf(task: string): TaskHash {
  return createHash("sha256").update(task, "utf8").digest("hex").slice(0, DIGITS);
}
