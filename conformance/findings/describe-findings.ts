import { formatCount } from "../../src/text.js";

export interface FindingCounts {
  readonly errors: number;
  readonly warnings: number;
  /** Ids of the warnings, each once. */
  readonly warningIds: readonly string[];
}

/** `3 errors, 1 warning (tool-event-dialect)`. */
export function describeFindings({ errors, warnings, warningIds }: FindingCounts): string {
  const ids = warningIds.length > 0 ? ` (${warningIds.join(", ")})` : "";
  return `${formatCount(errors, "error")}, ${formatCount(warnings, "warning")}${ids}`;
}
