import { formatNumber } from "../../base/text.js";

/**
 * A part of a distribution: from `low` to below `high`, which the last bin includes. Of whole numbers only: from `low` to
 * `high`, both included.
 */
export interface Bin {
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

/** Digits that are kept of a value, so that memory does not grow with the number of values. */
const DIGITS = 3;

/** Closer to 0 than this is 0: the width of a bin would have no digits. */
const TINY = 1e-100;
const MAX_BINS = 10;

/** How often numbers occur. Values are kept with three significant digits. */
export class Distribution {
  readonly #counts = new Map<number, number>();
  #size = 0;
  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;

  /** Adds a finite number. */
  add(value: number): void {
    const kept = Math.abs(value) < TINY ? 0 : Number(value.toPrecision(DIGITS));
    this.#counts.set(kept, (this.#counts.get(kept) ?? 0) + 1);
    this.#size += 1;
    this.#least = Math.min(this.#least, value);
    this.#most = Math.max(this.#most, value);
  }

  /** Number of values. */
  get size(): number {
    return this.#size;
  }

  /** Infinity without values. */
  get least(): number {
    return this.#least;
  }

  /** -Infinity without values. */
  get most(): number {
    return this.#most;
  }

  /** The lower median; undefined without values. */
  get median(): number | undefined {
    let left = Math.ceil(this.#size / 2);
    for (const [value, count] of this.sorted()) {
      left -= count;
      if (left <= 0) return value;
    }
    return undefined;
  }

  /** See `countInBins`. */
  bins(): Bin[] {
    return countInBins([this]).map(({ low, high, counts: [count = 0] }) => ({ low, high, count }));
  }

  /** Values and how often they occur, in order. */
  sorted(): [value: number, count: number][] {
    return [...this.#counts].sort(([a], [b]) => a - b);
  }
}

/** A bin of several distributions: one count for each. */
export interface CommonBin extends Pick<Bin, "low" | "high"> {
  readonly counts: readonly number[];
}

/**
 * Bins of equal width that cover all values of all distributions, about ten, with round limits. Whole numbers in a small
 * range have a bin each.
 */
export function countInBins(distributions: readonly Distribution[]): CommonBin[] {
  const sorted = distributions.map((distribution) => distribution.sorted());
  const values = sorted.flat().map(([value]) => value);
  if (values.length === 0) return [];
  const [least, most] = values.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const areWhole = values.every(Number.isInteger);
  const width = roundStep((most - least) / MAX_BINS);
  const step = areWhole ? Math.max(1, width) : width;
  const first = Math.floor(least / step);
  // A value on a limit begins a bin, except the highest of fractions: it ends one.
  const last = areWhole ? Math.floor(most / step) : Math.max(first, Math.ceil(most / step) - 1);
  const counts = Array.from({ length: last - first + 1 }, () => distributions.map(() => 0));
  for (const [index, own] of sorted.entries()) {
    for (const [value, count] of own) {
      const bin = counts[Math.min(Math.floor(value / step), last) - first];
      if (bin !== undefined) bin[index] = (bin[index] ?? 0) + count;
    }
  }
  const limit = (index: number): number => Number(((first + index) * step).toPrecision(12));
  return counts.map((each, index) => {
    const end = limit(index + 1);
    return { low: limit(index), high: areWhole ? end - 1 : end, counts: each };
  });
}

/** The least of 1, 2 and 5 times a power of ten that is not below `width`. */
function roundStep(width: number): number {
  if (width === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(width));
  const factor = [1, 2, 5].find((each) => each * power >= width) ?? 10;
  return factor * power;
}

/** The range of a bin in words; one number if it has only that. */
export function describeBin({ low, high }: Pick<Bin, "low" | "high">): string {
  return low === high ? formatValue(low) : `${formatValue(low)} to ${formatValue(high)}`;
}

/** A number with at most three digits after the point. */
export function formatValue(value: number): string {
  return Number.isInteger(value) && value >= 0
    ? formatNumber(value)
    : String(Number(value.toFixed(3)));
}
