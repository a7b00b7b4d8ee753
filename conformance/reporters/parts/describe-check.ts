import { formatCount } from "../../../src/text.js";
import type { CheckSummary } from "../reporter.js";

/** `3 schemas, 3 released versions`; what a check that could not run looked at is `nothing`. */
export function describeChecked({ checked }: Pick<CheckSummary, "checked">): string {
  return checked.map(({ count, thing }) => formatCount(count, thing)).join(", ") || "nothing";
}

/** `ok`, `2 findings`, or `ok, 1 warning`: only errors make a check red. */
export function describeVerdict({ found }: Pick<CheckSummary, "found">): string {
  if (found.error > 0) return formatCount(found.error + found.warning, "finding");
  return found.warning > 0 ? `ok, ${formatCount(found.warning, "warning")}` : "ok";
}
