import { isObjectiveStatus } from "#generated/index.js";
import { SCORE_OF_STATUS } from "../../scoring/objective.js";
import type { RecordRule } from "./rule.js";

/** If they disagree, one of the two verdicts is wrong. An unknown status counts as not passed. */
export const statusAgreesWithScore = {
  id: "status-agrees-with-score",
  purpose: "objective_status pass goes with objective_score 1, fail and unknown with 0",
  scope: "record",
  check({ objective_status: status, objective_score: score }, type) {
    if (type !== "RolloutBranchRecord" || !isObjectiveStatus(status)) return [];
    if (score === SCORE_OF_STATUS[status]) return [];
    const message = `is "${status}", but objective_score is ${score}`;
    return [{ pointer: "/objective_status", message }];
  },
} as const satisfies RecordRule;
