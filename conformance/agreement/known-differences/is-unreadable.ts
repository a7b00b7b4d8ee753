import type { AdapterVerdict } from "#generated/index.js";

/** Whether an implementation says that it cannot read the record at all. */
export function isUnreadable({ errors = [] }: AdapterVerdict): boolean {
  return errors.length === 1 && errors[0]?.pointer === "" && errors[0].keyword === "json";
}
