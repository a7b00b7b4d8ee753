import type { RolloutBranch } from "#generated/index.js";

/** The final answer of a branch as a message; its content is empty when the branch crashed. */
export interface AnswerMessage {
  role: "assistant";
  content: string;
}

/** Final answer of a branch, as the message that completes its prompt. */
export function toAnswer({ final_answer }: RolloutBranch): AnswerMessage {
  return { role: "assistant", content: final_answer };
}
