/**
 * All reasons why a rollout has no record in a file, with what is true of the rollout. In report order: the order in
 * which they are tested.
 */
const MEANINGS = {
  "incomplete-rollout":
    "a branch that may be its best or its worst was skipped as invalid, or is missing by the ranks of the others",
  "single-branch": "it has only one branch",
  "no-preference": "both branches have the same total score",
  "small-gap": "the total scores differ by less than --min-gap",
  "unknown-objective": "the objective verdict of a branch is unknown",
  "best-unusable":
    "several branches have its best or its worst total score, and the target can take none of their pairs, or none of the best for a demonstration",
  "identical-answers": "both branches give the same final answer",
  "same-call":
    "both branches make the same calls and end in the same text, apart from white space around it",
  "different-prompts":
    "the branches were given different prompts before the model's first turn: context, tools or user turns",
  "off-context":
    "the branches part in what the model was given after its first turn, such as a tool result, or one ends where the other continues, or they part before the answers that were to be compared",
  "empty-chosen": "the better branch says nothing where they part",
  "not-solved": "its best branch did not pass every objective verifier",
  "empty-answer": "its best branch has neither a final answer nor a call at its end",
  "stray-result": "the conversation has a tool result without a call",
  "unanswered-call": "the conversation has a call without a result",
  "turn-order": "the conversation has an order of roles that the trainer does not accept",
  "text-arguments": "the model would learn a call whose arguments are not a JSON object",
  "call-turn": "the branches part in a call, and the trainer compares text only",
  "tool-name": "a call or a tool definition has a name that the trainer refuses",
  "tool-call-markup": "text beside a call contains markup that the trainer reads as a call",
} as const;

/** Why a rollout has no record in a file: see `explainReason`. */
export type OmissionReason = keyof typeof MEANINGS;

export const OMISSION_REASONS: readonly OmissionReason[] = Object.keys(MEANINGS).filter(isReason);

/** What is true of a rollout that was left out of a file for this reason, as a clause without its subject. */
export function explainReason(reason: OmissionReason): string {
  return MEANINGS[reason];
}

function isReason(text: string): text is OmissionReason {
  return Object.hasOwn(MEANINGS, text);
}
