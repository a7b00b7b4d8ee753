import type { AdapterVerdict } from "#generated/index.js";

/** A verdict on one line: `valid`, `invalid`, or `invalid: /rank minimum, (record) required`. */
export function describeVerdict({ valid, errors = [] }: AdapterVerdict): string {
  const faults = errors.map(({ pointer, keyword }) => `${pointer || "(record)"} ${keyword}`);
  const told = faults.length === 0 ? "" : `: ${[...new Set(faults)].sort().join(", ")}`;
  return `${valid ? "valid" : "invalid"}${told}`;
}
