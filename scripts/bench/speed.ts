import type { Sides } from "./bench.js";
import type { Bar, Measurement } from "./row.js";

/** Which case of a row a figure belongs to. */
type Case = Pick<Measurement, "label" | "peer">;

/** How many times the peer's time holds ours: above 1 we are faster. */
export function speed(
  [ours, theirs]: Sides<number>,
  bar: Bar | undefined,
  which: Case = {},
): Measurement {
  const figures = `${formatTime(ours)} against ${formatTime(theirs)}`;
  return { ...which, value: theirs / ours, unit: "x", bar, figures };
}

/** How many times the longer time holds the shorter one. */
export function growth([small, large]: Sides<number>, bar: Bar, which: Case): Measurement {
  const figures = `${formatTime(small)}, then ${formatTime(large)}`;
  return { ...which, value: large / small, unit: "x", bar, figures };
}

function formatTime(seconds: number): string {
  return seconds < 1 ? `${(seconds * 1e3).toFixed(1)} ms` : `${seconds.toFixed(2)} s`;
}
