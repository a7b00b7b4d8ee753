import { isDpoRecord } from "#generated/index.js";
import type { RecordRule } from "./rule.js";

/** An inverted pair teaches the failure. Two sides with equal objective scores may differ by the judge's score. */
export const chosenBeatsRejected = {
  id: "chosen-beats-rejected",
  purpose: "the chosen side's objective score is not below the rejected side's",
  scope: "record",
  check(record, type) {
    if (type !== "DpoRecord" || !isDpoRecord(record)) return [];
    const { chosen, rejected } = record.provenance.objective_score;
    if (chosen >= rejected) return [];
    const message = `the chosen side's objective score is ${chosen}, the rejected side's ${rejected}`;
    return [{ pointer: "/provenance/objective_score/chosen", message }];
  },
} as const satisfies RecordRule;
