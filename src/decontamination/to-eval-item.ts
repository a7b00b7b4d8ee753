import { isJsonObject } from "../json/value.js";
import { UserError } from "../user-error.js";
import type { EvalItem, EvalItemRef } from "./g3-finding.js";

/** Fields in which evaluation sets keep their text, in the order in which they are tried. */
export const EVAL_FIELDS: readonly string[] = ["prompt", "question", "task", "input", "text"];

/**
 * A value of an evaluation set as an item: a string is its text; an object has it in `field`, or
 * else in the first of `EVAL_FIELDS` that holds a string which is not blank, and its `id` (a string
 * or a number) takes the place of the one given.
 *
 * Throws UserError (exit 3) for any other value and for an item without text: comparing nothing would
 * pass everything.
 */
export function toEvalItem(
  value: unknown,
  { file, line, id }: EvalItemRef,
  field?: string,
): EvalItem {
  const place = `${file}:${line}`;
  if (typeof value === "string") {
    if (field !== undefined) {
      throw new UserError(`${place}: text without fields, so it has no field ${field}`);
    }
    if (isText(value)) return { id, text: value, file, line };
    throw new UserError(`${place}: an evaluation item without text`);
  }
  if (!isJsonObject(value)) {
    throw new UserError(`${place}: an evaluation item must be a string or an object`);
  }
  const fields = field === undefined ? EVAL_FIELDS : [field];
  const text = fields.map((name) => value[name]).find(isText);
  if (text === undefined) {
    const mend = field === undefined ? "; name its field with --eval-field" : "";
    throw new UserError(
      `${place}: an evaluation item without text in the field ${fields.join(", ")}${mend}`,
    );
  }
  return { id: isId(value.id) ? String(value.id) : id, text, file, line };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function isId(value: unknown): value is string | number {
  return typeof value === "number" || isText(value);
}
