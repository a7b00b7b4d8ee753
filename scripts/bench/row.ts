import type { Bench, Sides } from "./bench.js";
import type { InputId } from "./input-branches.js";

/** A measurement, in one or several cases. */
export interface BenchRow {
  /** Its value for `--only`, and the name of its file. */
  readonly id: string;
  readonly what: string;
  /** The peer; undefined for an absolute bound. */
  readonly peer: string | undefined;
  readonly inputs: readonly InputId[];
  run(bench: Bench): Promise<readonly Measurement[]>;
}

/** A figure with its bar. */
export interface Measurement {
  /** The case of the row; absent if there is only one. */
  readonly label?: string;
  /** The peer of this case, if it differs from the row's. */
  readonly peer?: string;
  readonly value: number;
  /** `x` is a ratio of times: the peer's to ours, or the longer to the shorter one. */
  readonly unit: "x" | "MB" | "s";
  /** Undefined if the figure is printed for comparison only. */
  readonly bar: Bar | undefined;
  /** The numbers behind the value. */
  readonly figures: string;
}

export type Bar = { readonly atLeast: number } | { readonly atMost: number };

export type Verdict = "met" | "falls short" | "no bar";

export function verdictOf({ value, bar }: Measurement): Verdict {
  if (bar === undefined) return "no bar";
  const met = "atLeast" in bar ? value >= bar.atLeast : value <= bar.atMost;
  return met ? "met" : "falls short";
}

/** The case of a row that a figure belongs to. */
type Case = Pick<Measurement, "label" | "peer">;

/** The ratio of the peer's time to ours: above 1 we are faster. */
export function speed(
  [ours, theirs]: Sides<number>,
  bar: Bar | undefined,
  which: Case = {},
): Measurement {
  const figures = `${formatTime(ours)} against ${formatTime(theirs)}`;
  return { ...which, value: theirs / ours, unit: "x", bar, figures };
}

/** The ratio of the longer time to the shorter one. */
export function growth([small, large]: Sides<number>, bar: Bar, which: Case): Measurement {
  const figures = `${formatTime(small)}, then ${formatTime(large)}`;
  return { ...which, value: large / small, unit: "x", bar, figures };
}

function formatTime(seconds: number): string {
  return seconds < 1 ? `${(seconds * 1e3).toFixed(1)} ms` : `${seconds.toFixed(2)} s`;
}
