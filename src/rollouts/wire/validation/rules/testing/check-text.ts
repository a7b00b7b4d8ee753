import { isJsonObject, measureValue } from "../../../../../base/json/value.js";
import type { LineRule, RuleFault } from "../rule.js";

/** Runs a line rule on a text that contains a JSON object. */
export function checkText({ check }: LineRule, text: string): readonly RuleFault[] {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) throw new TypeError("not an object");
  return check({ text, measure: measureValue(value) });
}
