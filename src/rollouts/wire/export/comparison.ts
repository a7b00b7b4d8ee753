import type {
  Message,
  RolloutBranchRecord,
  ToolDefinition,
  TrainingProvenance,
} from "#generated/index.js";
import { isSameJson } from "../../../base/json/equality.js";
import type { BranchConversation } from "../conversation/conversation.js";
import { findDivergence, toComparedMessage } from "../conversation/divergence.js";
import type { PreferencePair } from "./selection.js";

/**
 * Which turns of two branches a trainer compares. `act`: those in which their acts part, whatever was said before.
 * `divergence`: those in which they differ at all. `answer`: the final answers, where the branches part only there.
 */
export const PAIR_FORMS = ["act", "divergence", "answer"] as const;

/** Which turns of two branches a trainer compares. */
export type PairForm = (typeof PAIR_FORMS)[number];

/** How two branches agree up to where they part: in every word, or in what they were given and in their calls. */
export type CommonPrompt = NonNullable<TrainingProvenance["common_prompt"]>;

/** Two assistant turns that continue the same conversation. Their messages have only the fields that are compared. */
export interface Preference extends PreferencePair {
  /** The messages up to where the branches part, with the words and the call ids of the chosen one. At least the task. */
  readonly prompt: readonly Message[];
  readonly chosenTurn: Message;
  readonly rejectedTurn: Message;
  /** The tools that both branches were offered; undefined if there were none, or they are unknown. */
  readonly tools: readonly ToolDefinition[] | undefined;
  readonly commonPrompt: CommonPrompt;
  /** Number of the assistant turn after the task in which the branches part, from 1. */
  readonly divergenceTurn: number;
}

/** Why two branches have no turns to compare. */
export type ComparisonReason =
  | "identical-answers"
  | "same-call"
  | "different-prompts"
  | "off-context"
  | "empty-chosen";

type ComparedTurns =
  | { readonly preference: Preference; readonly reason?: never }
  | { readonly reason: ComparisonReason; readonly preference?: never };

/**
 * Finds the turns of two branches that a trainer can compare, or the first reason why there are none:
 * - `different-prompts`: they were given something else before the model's first turn (context, tools, a user turn);
 * - `same-call`, for `answer` `identical-answers`: nothing parts them, apart from white space around the turns;
 * - `off-context`: they part in what the model was given later (a user turn, a tool result), one ends where the
 *   other continues, or, for `answer`, they part before the final answer;
 * - `empty-chosen`: the better side says nothing in its turn.
 */
export function compareTurns(
  { chosen, rejected }: PreferencePair,
  form: PairForm,
  conversationOf: (branch: RolloutBranchRecord) => BranchConversation,
): ComparedTurns {
  const [better, worse] = [conversationOf(chosen), conversationOf(rejected)];
  const { tools } = better;
  if (!isSameJson(tools, worse.tools)) return { reason: "different-prompts" };
  const same = form === "answer" ? "identical-answers" : "same-call";
  const at = findParting(better, worse, form);
  const [chosenTurn, rejectedTurn] = [better, worse].map(({ messages }) =>
    messages
      .slice(at, at + 1)
      .map(toComparedMessage)
      .at(0),
  );
  if (chosenTurn === undefined && rejectedTurn === undefined) return { reason: same };
  const start = startOf(better, worse);
  const prompt = better.messages.slice(0, at).map(toComparedMessage);
  const shared = prompt.slice(start).filter(isAssistant).length;
  const areTurns = at >= start && chosenTurn?.role === "assistant" && isAssistant(rejectedTurn);
  if (!(areTurns && rejectedTurn)) {
    const isPrompt = at < start || (shared === 0 && [chosenTurn, rejectedTurn].some(isGiven));
    return { reason: isPrompt ? "different-prompts" : "off-context" };
  }
  if (form === "answer" && !(at === better.answerIndex && at === worse.answerIndex)) {
    return { reason: "off-context" };
  }
  const [trimmed, other] = [trim(chosenTurn), trim(rejectedTurn)];
  if (isSameTurn(trimmed, other, form)) return { reason: same };
  if (trimmed.content === "" && chosenTurn.tool_calls === undefined) {
    return { reason: "empty-chosen" };
  }
  const isIdentical = findDivergence(better.messages, worse.messages) >= at;
  return {
    preference: {
      ...{ chosen, rejected, prompt, chosenTurn, rejectedTurn, tools },
      commonPrompt: isIdentical ? "identical" : "same-acts",
      divergenceTurn: shared + 1,
    },
  };
}

/**
 * Index of the message in which two conversations part. For `act`, the first turn with other calls; if there is none, the
 * last turn of both. The number of messages if they do not part.
 */
export function findParting(better: Conversation, worse: Conversation, form: PairForm): number {
  const [ones, others] = [better.messages, worse.messages];
  if (form !== "act") return findDivergence(ones, others);
  const at = findDivergence(ones, others, startOf(better, worse));
  if (at < ones.length || at < others.length) return at;
  const last = ones.findLastIndex(isAssistant);
  return last < startOf(better, worse) ? at : last;
}

/** The messages of a conversation, and which of them is the task. */
export interface Conversation {
  readonly messages: readonly Message[];
  readonly taskIndex: number;
}

/** Index of the first message after the tasks of both. */
function startOf(...conversations: readonly Conversation[]): number {
  return 1 + Math.max(...conversations.map(({ taskIndex }) => taskIndex));
}

function isAssistant(message: Message | undefined): boolean {
  return message?.role === "assistant";
}

/** Whether the model did not write the message. */
function isGiven(message: Message | undefined): boolean {
  return message !== undefined && !isAssistant(message);
}

/**
 * Whether two turns say and do the same. For `act`, neither what the model thought before makes a difference, nor
 * whether it said anything beside the same calls.
 */
function isSameTurn(one: Message, other: Message, form: PairForm): boolean {
  if (form !== "act") return findDivergence([one], [other]) === 1;
  if (findDivergence([one], [other], 0) === 0) return false;
  const isSilent = one.tool_calls !== undefined && [one.content, other.content].includes("");
  return isSilent || one.content === other.content;
}

/** A turn as most chat templates print it: without white space around its texts. */
function trim({ content, reasoning_content: reasoning, ...rest }: Message): Message {
  return {
    ...rest,
    content: content.trim(),
    ...(reasoning !== undefined && { reasoning_content: reasoning.trim() }),
  };
}
