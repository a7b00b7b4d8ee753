import { toPointerToken } from "../../../../base/json/pointer.js";
import { isJsonObject } from "../../../../base/json/value.js";
import { previewValue } from "../../../../base/text.js";
import { readTraceSteps } from "../trace-steps.js";
import { isPrinted } from "../traces.js";
import type { RecordRule, RuleFault } from "./rule.js";

/**
 * When terms are summed, a reward stored as a string is skipped or stops the run. Other strings are labels and
 * pass.
 */
export const numericRewardData = {
  id: "numeric-reward-data",
  purpose: "the reward data of a trace contains no numbers or booleans stored as strings",
  scope: "record",
  check(record, type) {
    return readTraceSteps(record, type).flatMap(({ pointer, step }) =>
      findPrinted(step.reward_data, `${pointer}/reward_data`),
    );
  },
} as const satisfies RecordRule;

/** Does not recurse: the value may be nested to any depth. */
function findPrinted(root: unknown, rootPointer: string): RuleFault[] {
  const faults: RuleFault[] = [];
  const open: [pointer: string, value: unknown][] = [[rootPointer, root]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [pointer, value] = next;
    if (typeof value === "string" && isPrinted(value)) {
      const message = `a number or boolean stored as a string: ${previewValue(value)}`;
      faults.push({ pointer, message });
    } else if (Array.isArray(value) || isJsonObject(value)) {
      for (const [key, child] of Object.entries(value).reverse()) {
        open.push([`${pointer}/${toPointerToken(key)}`, child]);
      }
    }
  }
  return faults;
}
