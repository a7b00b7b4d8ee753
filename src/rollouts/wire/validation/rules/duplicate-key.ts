import { findDuplicateKeys } from "../../../../base/json/text-faults.js";
import type { LineRule } from "./rule.js";

/** What an object with duplicate keys says depends on its reader. */
export const duplicateKey = {
  id: "duplicate-key",
  purpose: "no object has duplicate keys",
  scope: "line",
  check: (line) => findDuplicateKeys(line),
} as const satisfies LineRule;
