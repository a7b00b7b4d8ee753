import { readRecords } from "./base/jsonl/web-reader.js";
import { UserError } from "./base/user-error.js";
import { createLoader, type LoadRollouts } from "./rollouts/wire/validation/load-branches.js";

/** What the root reads in a browser: `files.ts` without files. */
export const loadRollouts: LoadRollouts = /* @__PURE__ */ createLoader(readRecords);
export { readRecords };

export async function readEvalItems(): Promise<never> {
  throw new UserError("a browser opens no files: give validateG3 the items as objects");
}
