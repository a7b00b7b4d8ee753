import type { Check } from "../../../conformance/checks/check.js";

/** A line for each check: its id and what it holds. */
export function describeChecks(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ id }) => id.length));
  return checks.map(({ id, purpose }) => `  ${id.padEnd(width)}  ${purpose}\n`).join("");
}
