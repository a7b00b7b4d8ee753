import { formatNumber } from "./format-number.js";

/** `1 error`, `2,000 errors`: a count with its noun, the same in every locale. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : plural}`;
}
