import { formatCount } from "../../base/text.js";
import { findDivergence } from "../wire/conversation/divergence.js";
import { findParting, type PairForm } from "../wire/export/comparison.js";
import { describePromptDifference, type Given } from "../wire/export/prompt-difference.js";
import type { OmissionReason } from "../wire/export/reasons.js";
import { foldAct } from "./fold-message.js";

/** Where the conversations of two branches part. */
export interface Parting {
  /** Index of the first message in which they do. */
  readonly at: number;
  /** Number of the assistant turn after the task in which they do, from 1. */
  readonly turn: number;
  /** What the better one does there, and the other one: its calls, else its text. */
  readonly acts: readonly [string, string];
  /** How many messages they share, and how. */
  readonly shared: string;
  /** Which words of the prompts differ, if that is why they make no pair. */
  readonly difference: string | undefined;
}

/** Finds where two branches part; where their words do, if nothing else does. */
export function findPlace(
  better: Given,
  worse: Given,
  form: PairForm,
  reason: OmissionReason | undefined,
): Parting {
  const [ones, others] = [better.messages, worse.messages];
  const exact = findDivergence(ones, others);
  const at = reason === "same-call" ? exact : findParting(better, worse, form);
  const turns = ones.slice(better.taskIndex + 1, at).filter(({ role }) => role === "assistant");
  const count = formatCount(at, "message is", "messages are");
  return {
    at,
    turn: turns.length + 1,
    acts: [foldAct(ones[at]), foldAct(others[at])],
    shared: `${count} the same${exact < at ? " but for what the model said" : ""}`,
    difference:
      reason === "different-prompts" ? describePromptDifference(better, worse) : undefined,
  };
}
