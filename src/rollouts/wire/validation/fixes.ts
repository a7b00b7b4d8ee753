import { entryTypes } from "#generated/index.js";
import { withoutKind } from "../../../base/findings/causes.js";
import type { Finding } from "../../../base/findings/finding.js";
import { quoteForShell } from "../../../base/text.js";
import { HEAD } from "./rules/hash-matches-task.js";

const UNRANKED = new Set(requiredBy("RolloutBranch"));

/** Fields that only ranked records have. */
const RANKS = new Set(requiredBy("RolloutBranchRecord").filter((field) => !UNRANKED.has(field)));

function requiredBy(type: string): readonly string[] {
  return entryTypes.find(({ name }) => name === type)?.required ?? [];
}

const NO_NUMBER = /unexpected (?:NaN|nan|Infinity|inf)\b/;

/** How to fix what many records of a file have in common; undefined if nothing is known. `program` starts this program. */
export function findFix(
  { id, file, pointer, message, cause = "" }: Finding,
  program: string,
): string | undefined {
  const input = quoteForShell(file === "<stdin>" ? "FILE" : file);
  const rank = `${program} rank --input ${input} --output ranked.jsonl`;
  switch (id) {
    case "required":
      return pointer === "" && RANKS.has(withoutKind(cause)) ? rank : undefined;
    case "const": {
      // What is known of an older version: see `readVersion`.
      const [, version] = / migrate --to (\S+) upgrades it$/.exec(cause) ?? [];
      return version && `${program} migrate --to ${version} ${input} --output upgraded.jsonl`;
    }
    case "minimum":
      return pointer === "/rank" ? rank : undefined;
    case "zero-based-ranks":
    case "rank-permutation":
    case "rank-follows-score":
      return rank;
    case "json":
      return NO_NUMBER.test(message)
        ? "JSON has no NaN: write null, or leave the field out (pandas: df.astype(object).where(df.notna(), None))"
        : undefined;
    case "hash-matches-task":
      return cause === HEAD
        ? "hash the task: taskHash(task), in Python hashlib.sha256(task.encode()).hexdigest()[:16]"
        : undefined;
    case "tool-event-dialect":
      return "name the tool in data.toolName, or --rule tool-event-dialect=off: export reads every dialect";
    case "anyOf":
      return `${program} validate --type NAME ${input}`;
    default:
      return undefined;
  }
}
