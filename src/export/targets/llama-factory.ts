import { features } from "#generated/features.js";
import type { RolloutBranch, TrainingProvenance } from "#generated/index.js";
import { BranchConversation } from "../conversation/conversation.js";
import {
  containsToolCallMarkup,
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
 * A pair for LLaMA-Factory in its `sharegpt` format with custom roles (see `describeDataset`). Its `openai`
 * format is not used, because it loses data: it skips prompts that end in a tool turn, drops the agent's text
 * beside its calls, and begins every prompt with its own system message.
 */
export interface LlamaFactoryPreference {
  /** Turns of the prompt, an odd number. The user's side and the model's side alternate. */
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

/** LLaMA-Factory would parse the text as a call and abort the run. */
function findMarkup({ prompt }: BranchConversation): "tool-call-markup" | undefined {
  return prompt.some(containsToolCallMarkup) ? "tool-call-markup" : undefined;
}

/** The entry `rollout_wire_dpo` of LLaMA-Factory's `dataset_info.json`; none without a file of pairs. */
function describeDataset(files: Readonly<Partial<Record<OutputKind, string>>>): DatasetDescription {
  const { system, user, assistant, call, tool } = SHAREGPT_ROLES;
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
      observation_tag: tool,
      system_tag: system,
    },
  };
  return {
    name: "dataset_info.json",
    value: files.dpo === undefined ? {} : { rollout_wire_dpo: preferences },
  };
}
