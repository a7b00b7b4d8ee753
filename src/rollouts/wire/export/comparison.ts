import type { Message, RolloutBranchRecord, ToolDefinition } from "#generated/index.js";
import { isSameJson } from "../../../base/json/equality.js";
import type { BranchConversation } from "../conversation/conversation.js";
import { findDivergence, toComparedMessage } from "../conversation/divergence.js";
import type { PreferencePair } from "./selection.js";

/**
 * Which turns of two branches a trainer compares. `divergence`: those in which the branches part. `answer`: the
 * final answers, where the branches part only there.
 */
export const PAIR_FORMS = ["divergence", "answer"] as const;

/** Which turns of two branches a trainer compares. */
export type PairForm = (typeof PAIR_FORMS)[number];

/** Two assistant turns that continue the same conversation. Their messages have only the fields that are compared. */
export interface Preference extends PreferencePair {
  /** The messages that both branches share, with the call ids of the chosen one. At least the task. */
  readonly prompt: readonly Message[];
  readonly chosenTurn: Message;
  readonly rejectedTurn: Message;
  /** The tools that both branches were offered; undefined if there were none, or they are unknown. */
  readonly tools: readonly ToolDefinition[] | undefined;
  /** Number of assistant turns after the task that both branches share. */
  readonly divergenceTurn: number;
}

/** Why two branches have no turns to compare. */
export type ComparisonReason = "identical-answers" | "off-context" | "empty-chosen";

type ComparedTurns =
  | { readonly preference: Preference; readonly reason?: never }
  | { readonly reason: ComparisonReason; readonly preference?: never };

/**
 * Finds the turns of two branches that a trainer can compare, or the first reason why there are none:
 * - `identical-answers`: both conversations are equal, apart from white space around the turns where they part;
 * - `off-context`: the branches part in what the model was given (context, tools, a user turn, a tool result),
 *   one ends where the other continues, or, for `answer`, they part before the final answer;
 * - `empty-chosen`: the better side says nothing in its turn.
 */
export function compareTurns(
  { chosen, rejected }: PreferencePair,
  form: PairForm,
  conversationOf: (branch: RolloutBranchRecord) => BranchConversation,
): ComparedTurns {
  const [better, worse] = [conversationOf(chosen), conversationOf(rejected)];
  const at = findDivergence(better.messages, worse.messages);
  const [chosenTurn, rejectedTurn] = [better, worse].map(({ messages }) =>
    messages
      .slice(at, at + 1)
      .map(toComparedMessage)
      .at(0),
  );
  const { tools } = better;
  if (!isSameJson(tools, worse.tools)) return { reason: "off-context" };
  if (chosenTurn === undefined && rejectedTurn === undefined)
    return { reason: "identical-answers" };
  const isCommon =
    at > better.taskIndex && chosenTurn?.role === "assistant" && rejectedTurn?.role === "assistant";
  if (!isCommon) return { reason: "off-context" };
  if (form === "answer" && !(at === better.answerIndex && at === worse.answerIndex)) {
    return { reason: "off-context" };
  }
  const [trimmed, other] = [trim(chosenTurn), trim(rejectedTurn)];
  if (findDivergence([trimmed], [other]) === 1) return { reason: "identical-answers" };
  if (trimmed.content === "" && chosenTurn.tool_calls === undefined) {
    return { reason: "empty-chosen" };
  }
  const prompt = better.messages.slice(0, at).map(toComparedMessage);
  const shared = prompt.slice(better.taskIndex).filter(({ role }) => role === "assistant");
  const divergenceTurn = shared.length;
  return {
    preference: { chosen, rejected, prompt, chosenTurn, rejectedTurn, tools, divergenceTurn },
  };
}

/** A turn as most chat templates print it: without white space around its texts. */
function trim({ content, reasoning_content: reasoning, ...rest }: Message): Message {
  return {
    ...rest,
    content: content.trim(),
    ...(reasoning !== undefined && { reasoning_content: reasoning.trim() }),
  };
}
