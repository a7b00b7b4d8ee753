import type { Bench, Racer, Times } from "./bench.js";
import type { InputId } from "./input-branches.js";

/** A measurement, in one or several cases. */
export interface BenchRow {
  /** Its value for `--only`. */
  readonly id: string;
  readonly what: string;
  readonly inputs: readonly InputId[];
  run(bench: Bench): Promise<readonly Measurement[]>;
}

/** A figure with its bar. */
export interface Measurement {
  /** The case of the row; absent if there is only one. */
  readonly label?: string;
  /** Absent for an absolute bound. */
  readonly peer?: string;
  readonly value: number;
  /** `x` is a ratio of times: the peer's to ours, or the longer to the shorter one. */
  readonly unit: "x" | "MB" | "s" | "ms";
  /** Undefined if the figure is printed for comparison only. */
  readonly bar: Bar | undefined;
  /** The numbers behind the value. */
  readonly figures: string;
  /** Processor time of each program, in the order of `figures`. Absent if the programs measure time themselves. */
  readonly cpuSeconds?: readonly number[];
}

export type Bar = { readonly atLeast: number } | { readonly atMost: number };

export type Verdict = "met" | "falls short" | "no bar";

export function verdictOf({ value, bar }: Measurement): Verdict {
  if (bar === undefined) return "no bar";
  const met = "atLeast" in bar ? value >= bar.atLeast : value <= bar.atMost;
  return met ? "met" : "falls short";
}

/** Two values that are compared. */
export type Sides<T> = readonly [first: T, second: T];

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

/** The same for two programs, with their processor times. */
export function programSpeed(
  [ours, theirs]: Sides<Times>,
  bar: Bar | undefined,
  which: Case = {},
): Measurement {
  const measurement = speed([ours.seconds, theirs.seconds], bar, which);
  return { ...measurement, cpuSeconds: [ours.cpuSeconds, theirs.cpuSeconds] };
}

/** The ratio of our processor time to the peer's: below 1 we are cheaper. */
export function cost(sides: Sides<Times>, bar: Bar, which: Case): Measurement {
  const [ours, theirs] = sides;
  const value = ours.cpuSeconds / theirs.cpuSeconds;
  const label = [which.label, "processor time"].filter(Boolean).join(", ");
  return { ...programSpeed(sides, bar, { ...which, label }), value };
}

/** Peak memory of a program that runs once. */
export async function memoryOf(
  bench: Bench,
  racer: Racer,
  atMost: number,
  which: Case = {},
): Promise<Measurement> {
  const { peakBytes, cpuSeconds } = await bench.run(racer);
  const [value, figures] = [peakBytes / 1e6, "one run"];
  return { ...which, value, unit: "MB", bar: { atMost }, figures, cpuSeconds: [cpuSeconds] };
}

/** The ratio of the longer time to the shorter one. */
export function growth([small, large]: Sides<Times>, bar: Bar, which: Case): Measurement {
  const figures = `${formatTime(small.seconds)}, then ${formatTime(large.seconds)}`;
  const cpuSeconds = [small.cpuSeconds, large.cpuSeconds];
  return { ...which, value: large.seconds / small.seconds, unit: "x", bar, figures, cpuSeconds };
}

export function formatTime(seconds: number): string {
  return seconds < 1 ? `${(seconds * 1e3).toFixed(1)} ms` : `${seconds.toFixed(2)} s`;
}
