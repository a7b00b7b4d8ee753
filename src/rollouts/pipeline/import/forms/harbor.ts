import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { tryParseLog } from "../parse-log.js";
import type { ImportFault, RecordPlace } from "../reader.js";
import { type RewardMapping, UNIT_REWARDS } from "../verdicts/rewards.js";
import { type Metric, readScores, type ScoreFields } from "../verdicts/scores.js";

/** What Harbor writes beside the trajectory of a trial. */
export interface TrialResult {
  readonly scores: ScoreFields;
  readonly faults: readonly ImportFault[];
  /** What is kept of it. */
  readonly record: JsonObject;
}

/** The folders of a trial, from that of a trajectory: `agent/trajectory.json`, or one in the trial's folder. */
const TRIAL_FOLDERS = ["..", "."];

/**
 * Reads the reward of a trial: that of the verifier in `result.json`, else `verifier/reward.txt`. A trial without a reward
 * that ended in an exception is `unknown`. Undefined if the trajectory is of no trial.
 */
export function readTrial(place: RecordPlace, mapping: RewardMapping): TrialResult | undefined {
  for (const folder of TRIAL_FOLDERS) {
    const result = tryParseLog(place.readBeside(`${folder}/result.json`) ?? "");
    const text = place.readBeside(`${folder}/verifier/reward.txt`);
    if (isJsonObject(result) || text !== undefined) {
      return toTrial(isJsonObject(result) ? result : {}, text, mapping);
    }
  }
  return undefined;
}

function toTrial(
  result: JsonObject,
  text: string | undefined,
  mapping: RewardMapping,
): TrialResult {
  const {
    verifier_result: verified,
    exception_info: exception,
    task_name: task,
    trial_name: trial,
  } = result;
  const rewards = isJsonObject(verified) ? (verified.rewards ?? verified) : undefined;
  const own = isJsonObject(rewards) ? findReward(rewards) : undefined;
  const metric: Metric =
    own !== undefined
      ? { pointer: "", value: own }
      : { pointer: "", value: text?.trim() === "" ? undefined : text?.trim() };
  const record = Object.fromEntries(
    Object.entries({ task_name: task, trial_name: trial, exception_info: exception }).filter(
      ([, value]) => value !== undefined && value !== null,
    ),
  );
  const { objective, score } = mapping;
  const isOwn = !objective && !score;
  if (metric.value === undefined && isOwn) {
    const isFailed = exception !== undefined && exception !== null;
    return { record, faults: [], scores: isFailed ? { objective_status: "unknown" } : {} };
  }
  const { fields, faults } = readScores(isOwn ? UNIT_REWARDS : mapping, () => metric);
  const where = faults.map((fault) => ({
    ...fault,
    message: `the reward of the trial ${fault.message}`,
  }));
  return { record, faults: where, scores: fields };
}

/** The reward called so, or the only one. */
function findReward(rewards: JsonObject): unknown {
  const [only, ...others] = Object.values(rewards);
  return rewards.reward ?? (others.length === 0 ? only : undefined);
}
