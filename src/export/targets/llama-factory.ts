import { features } from "#generated/features.js";
import type { RolloutBranch, TrainingProvenance } from "#generated/index.js";
import { BranchConversation } from "../conversation/conversation.js";
import {
  holdsToolCallMarkup,
  SHAREGPT_ROLES,
  type ShareGptTurn,
  toShareGptTurns,
} from "../conversation/dialects.js";
import { findObstacle } from "../conversation/obstacles.js";
import { listOf } from "../features.js";
import type { PreferencePair } from "../selection.js";
import { toTrainingProvenance } from "../training-records.js";
import type { DatasetDescription, ExportTarget, OutputKind } from "./target.js";

/**
 * A pair for LLaMA-Factory, in its `sharegpt` formatting with roles of its own (`describeDataset` says
 * which). Its `openai` formatting loses: a prompt that ends in a tool turn is skipped, what the agent
 * said beside its calls is dropped, and every prompt begins with a system message of its own.
 */
export interface LlamaFactoryPreference {
  /** Turns of the prompt, an odd number: those of the user's side and of the model's alternate. */
  messages: ShareGptTurn[];
  chosen: ShareGptTurn;
  rejected: ShareGptTurn;
  provenance: TrainingProvenance;
}

const TEXT = { _type: "Value", dtype: "string" } as const;
const turn = { role: TEXT, content: TEXT };

export const llamaFactory = {
  id: "llama-factory",
  purpose: "LLaMA-Factory: preference pairs, with dataset_info.json",
  readsToolEvents: true,
  features: {
    dpo: {
      messages: listOf(turn),
      chosen: turn,
      rejected: turn,
      provenance: features.TrainingProvenance,
    },
  },
  findObstacle: (branch, conversation = new BranchConversation(branch)) =>
    findObstacle(branch, conversation) ?? findMarkup(conversation),
  toDpo: toPreference,
  describeDataset,
} satisfies ExportTarget;

function toPreference(
  { chosen, rejected }: PreferencePair,
  _options?: unknown,
  { prompt } = new BranchConversation(chosen),
): LlamaFactoryPreference {
  return {
    messages: toShareGptTurns(prompt),
    chosen: toAnswerTurn(chosen),
    rejected: toAnswerTurn(rejected),
    provenance: toTrainingProvenance(chosen),
  };
}

function toAnswerTurn({ final_answer }: RolloutBranch): ShareGptTurn {
  return { role: SHAREGPT_ROLES.assistant, content: final_answer };
}

/** LLaMA-Factory would parse it as a call, and end the run. */
function findMarkup({ prompt }: BranchConversation): "tool-call-markup" | undefined {
  return prompt.some(holdsToolCallMarkup) ? "tool-call-markup" : undefined;
}

/** The entry `rollout_wire_dpo` of LLaMA-Factory's `dataset_info.json`; none without a file of pairs. */
function describeDataset(files: Readonly<Partial<Record<OutputKind, string>>>): DatasetDescription {
  const { user, assistant, call, result } = SHAREGPT_ROLES;
  const preferences = {
    file_name: files.dpo,
    formatting: "sharegpt",
    ranking: true,
    columns: { messages: "messages", chosen: "chosen", rejected: "rejected" },
    tags: {
      role_tag: "role",
      content_tag: "content",
      user_tag: user,
      assistant_tag: assistant,
      function_tag: call,
      observation_tag: result,
      system_tag: "system",
    },
  };
  return {
    name: "dataset_info.json",
    value: files.dpo === undefined ? {} : { rollout_wire_dpo: preferences },
  };
}
