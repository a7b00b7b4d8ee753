import { features } from "#generated/features.js";
import type { RolloutBranchRecord, TrainingProvenance } from "#generated/index.js";
import { listOf } from "../features/list-of.js";
import { findObstacle } from "../find-obstacle.js";
import { findTextArguments } from "../find-text-arguments.js";
import { toMessages } from "../to-messages.js";
import { type ObjectMessage, toObjectMessages } from "../to-object-messages.js";
import { toTrainingProvenance } from "../to-training-provenance.js";
import type { ExportTarget } from "./target.js";

/** TRL's conversational language-modelling type. */
export interface TrlDemonstration {
  messages: ObjectMessage[];
  provenance: TrainingProvenance;
}

export const trlSft = {
  id: "trl-sft",
  purpose: "TRL: solved conversations for supervised fine-tuning",
  readsToolEvents: true,
  features: {
    sft: { messages: listOf(features.Message), provenance: features.TrainingProvenance },
  },
  // In a preference calls are context; here the model learns to write them.
  findObstacle: (branch) => findObstacle(branch) ?? findTextArguments(branch),
  toSft: toDemonstration,
} satisfies ExportTarget;

function toDemonstration(branch: RolloutBranchRecord): TrlDemonstration {
  return {
    messages: toObjectMessages(toMessages(branch)),
    provenance: toTrainingProvenance(branch),
  };
}
