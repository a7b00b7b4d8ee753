import {
  PROVENANCE_SOURCE,
  type RolloutBranch,
  type TrainingProvenance,
} from "#generated/index.js";
import { taskHash } from "./task-hash.js";

/** Origin of a Layer 3 record made from `branch`. */
export function toTrainingProvenance({ rollout_id, task }: RolloutBranch): TrainingProvenance {
  return { source: PROVENANCE_SOURCE, rollout_id, task_hash: taskHash(task) };
}
