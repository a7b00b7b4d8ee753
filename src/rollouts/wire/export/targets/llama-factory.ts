import { features } from "#generated/features.js";
import type { TrainingProvenance } from "#generated/index.js";
import { printJson } from "../../../../base/json/print.js";
import {
  alternates,
  containsToolCallMarkup,
  SHAREGPT_ROLES,
  type ShareGptTurn,
  toShareGptTurn,
  toShareGptTurns,
} from "../../conversation/dialects.js";
import { findObstacle, type LearnedMessages } from "../../conversation/obstacles.js";
import type { Preference } from "../comparison.js";
import { listOf } from "../features.js";
import { toPairProvenance } from "../training-records.js";
import type { DatasetDescription, ExportTarget, OutputKind } from "./target.js";

/**
 * A pair for LLaMA-Factory in its `sharegpt` format with custom roles (see `describeDataset`). Its `openai`
 * format is not used, because it loses data: it skips prompts that end in a tool turn, drops the agent's text
 * beside its calls, and begins every prompt with its own system message.
 */
export interface LlamaFactoryPreference {
  /** Turns of the prompt: perhaps a system turn, then an odd number in which the user's side and the model's alternate. */
  messages: ShareGptTurn[];
  /** One turn of the model, which may consist of calls. */
  chosen: ShareGptTurn;
  rejected: ShareGptTurn;
  /** The tool definitions as a JSON array; empty text where none are known. */
  tools: string;
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
      tools: TEXT,
      provenance: features.TrainingProvenance,
    },
  },
  readsReasoning: false,
  findObstacle: (messages) =>
    findObstacle(messages) ?? findMarkup(messages) ?? findOtherOrder(messages),
  toPreference,
  describeDataset,
} satisfies ExportTarget;

function toPreference(preference: Preference): LlamaFactoryPreference {
  const { prompt, chosenTurn, rejectedTurn, tools } = preference;
  return {
    messages: toShareGptTurns(prompt),
    chosen: toShareGptTurn(chosenTurn),
    rejected: toShareGptTurn(rejectedTurn),
    tools: tools === undefined ? "" : printJson(tools),
    provenance: toPairProvenance(preference),
  };
}

/** LLaMA-Factory would parse the text as a call and abort the run. */
function findMarkup({ context, learned }: LearnedMessages): "tool-call-markup" | undefined {
  return [...context, ...learned].some(containsToolCallMarkup) ? "tool-call-markup" : undefined;
}

/** LLaMA-Factory leaves out such a prompt without a word. */
function findOtherOrder({ context }: LearnedMessages): "turn-order" | undefined {
  return alternates(toShareGptTurns(context)) ? undefined : "turn-order";
}

/** The entry `rollout_wire_dpo` of LLaMA-Factory's `dataset_info.json`; none without a file of pairs. */
function describeDataset(files: Readonly<Partial<Record<OutputKind, string>>>): DatasetDescription {
  const { system, user, assistant, call, tool } = SHAREGPT_ROLES;
  const preferences = {
    file_name: files.dpo,
    formatting: "sharegpt",
    ranking: true,
    columns: { messages: "messages", chosen: "chosen", rejected: "rejected", tools: "tools" },
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
