import {
  type DpoTrainingRecord,
  type LossWeightLabel,
  type PpoTrainingRecord,
  PROVENANCE_SOURCE,
  type RolloutBranch,
  type RolloutBranchRecord,
  type TrainingMessage,
  type TrainingProvenance,
} from "#generated/index.js";
import { BranchConversation } from "../conversation/conversation.js";
import { taskHash } from "../conversation/task-hash.js";
import type { Turn } from "../conversation/turns.js";
import { normaliseReward } from "../scoring/score.js";
import type { Preference } from "./comparison.js";
import { inBranchOrder, type PreferencePair, selectPair } from "./selection.js";
import { type ExportOptions, resolveExportOptions } from "./targets/target.js";

/**
 * Creates the Layer 3 preference record of one rollout; null if there is no pair (`selectPair` gives the
 * reason). Throws TypeError if there are no branches, if they belong to several rollouts, or if they are not
 * ranked.
 */
export function toDpoTrainingRecord(
  branches: readonly RolloutBranchRecord[],
): DpoTrainingRecord | null {
  const { pair } = selectPair(branches);
  return pair === undefined ? null : createDpoTrainingRecord(pair);
}

/** Creates the Layer 3 record of a pair. Conversation and label are those of the chosen branch. */
export function createDpoTrainingRecord(
  { chosen, rejected }: PreferencePair,
  _options?: unknown,
  conversation = new BranchConversation(chosen),
): DpoTrainingRecord {
  const end = conversation.answerIndex ?? conversation.messages.length;
  const messages = toTrainingMessages(conversation);
  return {
    messages: messages.slice(0, end + 1),
    prompt_messages: messages.slice(0, end),
    chosen: chosen.final_answer,
    rejected: rejected.final_answer,
    ...toToolsField(conversation.tools),
    loss_weight_tokens: lossWeightLabel(chosen, conversation),
    provenance: toPairProvenance({ chosen, rejected }),
  };
}

/**
 * Creates the Layer 3 reward records of one rollout: one per branch, including crashed ones, in order of
 * branch_index. Pass the `weights` with which the branches were scored; the default is the format's. Throws
 * TypeError if there are no branches, if they belong to several rollouts, or if they are not ranked.
 */
export function toPpoTrainingRecords(
  branches: readonly RolloutBranchRecord[],
  options: Pick<Partial<ExportOptions>, "weights"> = {},
): PpoTrainingRecord[] {
  const resolved = resolveExportOptions(options);
  return inBranchOrder(branches).map((branch) => createPpoTrainingRecord(branch, resolved));
}

/** Creates the Layer 3 record of a branch, with its reward normalised to 0..1. */
export function createPpoTrainingRecord(
  branch: RolloutBranchRecord,
  { weights }: Pick<ExportOptions, "weights">,
  conversation = new BranchConversation(branch),
): PpoTrainingRecord {
  return {
    messages: toTrainingMessages(conversation),
    reward: normaliseReward(branch.total_score, weights),
    ...toToolsField(conversation.tools),
    loss_weight_tokens: lossWeightLabel(branch, conversation),
    provenance: toTrainingProvenance(branch),
  };
}

/**
 * The label by which a trainer weights the tokens of a conversation: the highest label of its turns
 * (`training-record#/$defs/LossWeightLabel`).
 * - `recovery`: a turn follows a tool result with an error. Turns are the batches of calls and a non-empty
 *   final answer. If the answer is empty, the branch crashed and nothing followed the error.
 * - `state_summary`: a call has non-empty assistant text.
 * - `default`: neither.
 */
function lossWeightLabel(
  branch: RolloutBranch,
  { eventTurns: turns }: BranchConversation,
): LossWeightLabel {
  const answered = branch.final_answer !== "";
  if (turns.some((turn) => turn.followsError || (answered && hasError(turn)))) return "recovery";
  return turns.some(hasText) ? "state_summary" : "default";
}

function hasError({ calls, strayResults }: Turn): boolean {
  const results = [...calls.map(({ result }) => result), ...strayResults];
  return results.some((result) => result?.error !== undefined);
}

function hasText({ calls }: Turn): boolean {
  return calls.some(({ call }) => call.text !== "");
}

/**
 * The messages of a training record. Where the branch recorded what the model saw, they say which tokens are
 * trained on: those that the model wrote after the task.
 */
function toTrainingMessages({
  branch,
  messages,
  taskIndex,
}: BranchConversation): TrainingMessage[] {
  if (branch.context === undefined && branch.turns === undefined) return messages;
  return messages.map((message, index) => ({
    ...message,
    loss_mask: message.role === "assistant" && index > taskIndex ? 1 : 0,
  }));
}

/** The field `tools` of a record: absent where no tools are known, because trainers fail on null. */
export function toToolsField<Tool extends object>(
  tools: readonly Tool[] | undefined,
): { tools?: Tool[] } {
  return tools === undefined ? {} : { tools: [...tools] };
}

/** Origin of a record of two branches. `divergenceTurn` and `commonPrompt`: see `Preference`. */
export function toPairProvenance({
  chosen,
  rejected,
  divergenceTurn,
  commonPrompt,
}: PreferencePair &
  Partial<Pick<Preference, "divergenceTurn" | "commonPrompt">>): TrainingProvenance {
  return {
    ...toTrainingProvenance(chosen),
    chosen_branch: chosen.branch_index,
    rejected_branch: rejected.branch_index,
    total_score: { chosen: chosen.total_score, rejected: rejected.total_score },
    ...(divergenceTurn !== undefined && { divergence_turn: divergenceTurn }),
    ...(commonPrompt !== undefined && { common_prompt: commonPrompt }),
  };
}

/** Origin of a record built from `branch`. */
export function toTrainingProvenance({ rollout_id, task }: RolloutBranch): TrainingProvenance {
  return { source: PROVENANCE_SOURCE, rollout_id, task_hash: taskHash(task) };
}
