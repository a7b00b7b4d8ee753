import { formatNumber } from "../../../base/text.js";
import type { ChatTemplate } from "./chat-template.js";
import { messagesOf } from "./check-row.js";
import { fault, type PreflightFault, type RowMessage, type TrainerRow } from "./trainer-row.js";

/** Number of tokens of a text. */
export type CountTokens = (text: string) => number;

/**
 * Finds rows of more tokens than a trainer keeps. Without a template, it counts what messages say and call, which is less than
 * what a trainer counts.
 */
export function findLengthFaults(
  row: TrainerRow,
  { maxTokens, count, template }: LengthOptions,
): PreflightFault[] {
  const measure = (messages: readonly RowMessage[], isPrompt = false): number => {
    const plain = messages.map(toPlainText).join("\n");
    if (template === undefined) return count(plain);
    try {
      return count(template.render(messages, row, isPrompt));
    } catch {
      // Found by the template's own check.
      return count(plain);
    }
  };
  const { prompt } = row;
  const promptTokens =
    prompt === undefined
      ? 0
      : prompt.messages
        ? measure(prompt.messages, true)
        : count(prompt.text);
  const about = template === undefined ? "at least " : "";
  if (prompt !== undefined && promptTokens >= maxTokens) {
    const message = `the prompt alone has ${about}${formatNumber(promptTokens)} tokens of ${formatNumber(maxTokens)}: nothing is learned; shorten it or leave the row out`;
    return [fault("too-long", "error", prompt.pointer, message, "prompt")];
  }
  return row.sides.flatMap((side) => {
    const tokens =
      side.messages === undefined
        ? promptTokens + count(side.text)
        : measure(messagesOf(row, side));
    if (tokens <= maxTokens) return [];
    const parts = prompt === undefined ? "" : ` (${formatNumber(promptTokens)} of them the prompt)`;
    const message = `has ${about}${formatNumber(tokens)} tokens${parts} of ${formatNumber(maxTokens)}: its end is cut off`;
    return [fault("too-long", "error", side.pointer, message, "side")];
  });
}

export interface LengthOptions {
  readonly maxTokens: number;
  readonly count: CountTokens;
  readonly template?: ChatTemplate | undefined;
}

function toPlainText({ text, calls }: RowMessage): string {
  const called = calls.map(({ name, args }) => `${name} ${JSON.stringify(args)}`);
  return [text, ...called].filter((each) => each !== "").join("\n");
}
