import type { Bench, Sides } from "./bench.js";
import type { InputId } from "./input-branches.js";

/** One thing that is measured, in one or several cases. */
export interface BenchRow {
  /** What `--only` calls it; also its file's name. */
  readonly id: string;
  readonly what: string;
  /** What it is measured against; undefined for a bound that stands alone. */
  readonly peer: string | undefined;
  readonly inputs: readonly InputId[];
  run(bench: Bench): Promise<readonly Measurement[]>;
}

/** One figure with the bar that it has to clear. */
export interface Measurement {
  /** Which case of the row; absent when there is but one. */
  readonly label?: string;
  /** The peer of this case, where it is not the row's. */
  readonly peer?: string;
  readonly value: number;
  /** `x` is how often the peer's time holds ours, or how often a longer time holds a shorter one. */
  readonly unit: "x" | "MB" | "s";
  /** Undefined: the figure is printed for comparison only. */
  readonly bar: Bar | undefined;
  /** What the value was computed from. */
  readonly figures: string;
}

export type Bar = { readonly atLeast: number } | { readonly atMost: number };

export type Verdict = "met" | "falls short" | "no bar";

export function verdictOf({ value, bar }: Measurement): Verdict {
  if (bar === undefined) return "no bar";
  const met = "atLeast" in bar ? value >= bar.atLeast : value <= bar.atMost;
  return met ? "met" : "falls short";
}

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
