import type { MessageStyle } from "../style.js";
import {
  fault,
  type PreflightFault,
  type RowMessage,
  type RowSide,
  type TrainerRow,
} from "../trainer-row.js";

/** Finds prompts that end in the model's own turn, answers that do not begin with one, and sides that do not alternate. */
export function findOrderFaults(
  { prompt, sides }: Pick<TrainerRow, "prompt" | "sides">,
  style: Pick<MessageStyle, "alternates" | "endsInAnswer">,
): PreflightFault[] {
  const faults: PreflightFault[] = [];
  const last = prompt?.messages?.at(-1);
  if (last !== undefined && last.role !== "user" && last.role !== "tool") {
    const message = `the prompt ends in a turn of ${last.role}: it must end where the model continues, after a user or tool message`;
    faults.push(fault("turn-order", "error", last.pointer, message, "prompt"));
  } else if (style.alternates && prompt?.messages !== undefined) {
    faults.push(...findTurnFaults(prompt.messages));
  }
  for (const side of sides) faults.push(...findSideOrder(side, style));
  return faults;
}

function findSideOrder(
  { messages, isWhole, name }: RowSide,
  { alternates, endsInAnswer }: Pick<MessageStyle, "alternates" | "endsInAnswer">,
): PreflightFault[] {
  const [first] = messages ?? [];
  const last = messages?.at(-1);
  if (messages === undefined || first === undefined || last === undefined) return [];
  if (isWhole !== true) {
    if (first.role === "assistant") return [];
    const message = `${name} begins with a turn of ${first.role}: what the model learns must begin with its own turn`;
    return [fault("turn-order", "error", first.pointer, message, "side")];
  }
  const turns = alternates ? findTurnFaults(messages) : [];
  if (turns.length > 0) return turns;
  if (last.role === "assistant") return [];
  const message = `the conversation ends in a turn of ${last.role}: nothing is learned from it`;
  const severity = endsInAnswer ? "error" : "warning";
  return [fault("turn-order", severity, last.pointer, `${message}; remove it`, "end")];
}

/** LLaMA-Factory skips a row unless the user's side and the model's alternate, after one system turn. */
function findTurnFaults(messages: readonly RowMessage[]): PreflightFault[] {
  const sides = messages[0]?.role === "system" ? messages.slice(1) : messages;
  // With its formatting `openai`, it joins the results of parallel calls.
  const turns = sides.filter(({ role, value }, at) => {
    return !(role === "tool" && value.role === "tool" && sides[at - 1]?.value.role === "tool");
  });
  const wrong = turns.find(
    ({ role }, at) => role === "system" || (role === "assistant") !== (at % 2 === 1),
  );
  if (wrong === undefined) return [];
  const message =
    "breaks the alternation of the user's side and the model's, after which the whole row is skipped: join adjacent turns of a side";
  return [fault("turn-order", "error", wrong.pointer, message, "alternation")];
}
