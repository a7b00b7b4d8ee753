import { readRecords } from "./base/jsonl/read-records.js";
import { createLoader, type LoadRollouts } from "./rollouts/wire/validation/load-branches.js";

/**
 * Reads the valid branches of files, folders, patterns or a stream, in order and one by one, whatever their size: what
 * `readRecords` reads. A line is valid if `rollout-wire validate` finds no error in it by itself; `checkRollout` finds those of
 * a whole rollout.
 *
 * Throws UserError (exit 2) at once for a wrong option. While it is consumed, it throws UserError: exit 3 if an input cannot
 * be read, exit 1 for a line without a valid branch, unless `onError` says otherwise.
 */
export const loadRollouts: LoadRollouts = /* @__PURE__ */ createLoader(readRecords);
export { readEvalItems } from "./rollouts/pipeline/decontamination/eval-items.js";
export { readRecords };
