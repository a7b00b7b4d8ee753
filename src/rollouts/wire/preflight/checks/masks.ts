import { previewValue } from "../../../../base/text.js";
import type { MessageStyle } from "../style.js";
import { fault, type PreflightFault, type RowMessage, type TrainerRow } from "../trainer-row.js";

/** What trainers call the mask of a message. */
export const MASK_NAMES = ["loss_mask", "weight", "train", "training", "loss", "trainable"];

/** Finds masks of another trainer, masks of a wrong type, and rows in which everything is masked. */
export function findMaskFaults(
  { sides }: Pick<TrainerRow, "sides">,
  messages: readonly RowMessage[],
  { masks }: Pick<MessageStyle, "masks">,
  id: string,
): PreflightFault[] {
  const faults: PreflightFault[] = [];
  const named = MASK_NAMES.map((name) => ({
    name,
    messages: messages.filter(({ value }) => value[name] != null),
  }));
  for (const { name, messages: masked } of named) {
    const [first] = masked;
    if (first === undefined) continue;
    const values = masks[name];
    if (values === undefined) {
      const own = Object.keys(masks).join(" or ");
      const advice = own === "" ? "it learns every assistant turn" : `its mask is ${own}`;
      const message = `${id} does not read the mask "${name}": ${advice}`;
      faults.push(fault("loss-mask", "warning", `${first.pointer}/${name}`, message));
      continue;
    }
    const wrong = masked.find(({ value }) => !values.includes(value[name]));
    if (wrong === undefined) continue;
    const message = `must be ${values.join(" or ")}, is ${previewValue(wrong.value[name])}`;
    faults.push(fault("loss-mask", "error", `${wrong.pointer}/${name}`, message, "value"));
  }
  if (faults.length > 0) return faults;
  for (const { pointer, messages: own = [], isWhole } of sides) {
    const answers = isWhole === true ? own.filter(({ role }) => role === "assistant") : [];
    const isMasked = ({ value }: RowMessage): boolean =>
      Object.keys(masks).some((name) => value[name] === false || value[name] === 0);
    if (answers.length === 0 || !answers.every(isMasked)) continue;
    const message = "every assistant message is masked: nothing is learned";
    faults.push(fault("loss-mask", "error", pointer, message));
  }
  return faults;
}
