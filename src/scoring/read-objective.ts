import {
  isObjectiveScore,
  type ObjectiveScore,
  type ObjectiveStatus,
  type RolloutBranch,
} from "#generated/index.js";
import { previewValue } from "../text.js";
import { buildPasses } from "./build-passes.js";
import type { ObjectiveVerifier } from "./objective-verifier.js";
import type { ScoreFault } from "./score-fault.js";

/** The objective verdict on a branch, or why there is none. */
export type ObjectiveReading =
  | {
      readonly score: ObjectiveScore;
      /** The verdict as a word, captured or of the verifier; undefined when nothing gave one. */
      readonly status: ObjectiveStatus | undefined;
      readonly fault?: never;
    }
  | { readonly fault: ScoreFault; readonly score?: never; readonly status?: never };

/** A verdict as a number: what is unknown has not passed. */
export const SCORE_OF_STATUS: Readonly<Record<ObjectiveStatus, ObjectiveScore>> = {
  pass: 1,
  fail: 0,
  unknown: 0,
};

/**
 * The objective verdict on a captured branch, by the first of these that there is:
 * 1. `objective_score`, an open field of a branch before ranking (0 or 1; null counts as absent);
 * 2. `objective_status`: pass is 1, fail and unknown are 0;
 * 3. what `verifier` says, likewise; it is asked only now;
 * 4. 0 for a branch that crashed before it answered: its `final_answer` is empty
 *    (`rollout-wire#/$defs/RolloutBranch`).
 *
 * A branch of which none of them speaks has a fault, not a silent 0. So has one whose captured verdict
 * it contradicts itself: score and status differ, or it captured a pass beside a `build_result` that
 * `buildPasses` calls failed or unknown. A captured fail beside a build that passed is no
 * contradiction, since another verifier may have failed.
 */
export function readObjective(
  branch: RolloutBranch,
  verifier: ObjectiveVerifier,
): ObjectiveReading {
  const { objective_status: status } = branch;
  const captured = branch.objective_score ?? undefined;
  if (captured !== undefined && !isObjectiveScore(captured)) {
    const message = `must be 0 or 1, is ${previewValue(captured)}`;
    return { fault: { id: "objective-score-range", pointer: "/objective_score", message } };
  }
  const score = captured ?? (status ? SCORE_OF_STATUS[status] : undefined);
  if (score === undefined) return readUncaptured(branch, verifier);
  const fault = findContradiction(branch, score);
  return fault ? { fault } : { score, status };
}

function readUncaptured(branch: RolloutBranch, verifier: ObjectiveVerifier): ObjectiveReading {
  const status = verifier(branch);
  if (status !== undefined) return { score: SCORE_OF_STATUS[status], status };
  if (branch.final_answer === "") return { score: 0, status };
  const message = branch.build_result
    ? "build_result does not say whether the branch passed: capture objective_status"
    : "nothing says whether the branch passed: capture objective_status or build_result";
  return { fault: { id: "no-objective", pointer: "", message } };
}

function findContradiction(branch: RolloutBranch, score: ObjectiveScore): ScoreFault | undefined {
  const { objective_status: status } = branch;
  if (status !== undefined && score !== SCORE_OF_STATUS[status]) {
    const message = `is "${status}", but objective_score is ${score}`;
    return { id: "status-agrees-with-score", pointer: "/objective_status", message };
  }
  const build = buildPasses(branch);
  if (score === 0 || build === undefined || build === "pass") return undefined;
  const message = `${build === "fail" ? "failed" : "did not pass"}, but the captured verdict is a pass`;
  return { id: "build-agrees-with-score", pointer: "/build_result", message };
}
