import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { LogEntry } from "./rollout-log.js";

/** Pairs with the smallest gaps, and as many with the largest, that come before the random rest. */
const EXTREMES = 100;

/**
 * The order in which rollouts get a place in the page until it is full, as indices of `entries`: those with errors, those
 * that are contaminated, the pairs with the smallest and the largest gaps by turns, those with warnings, then the others.
 * Within each group the order is random, determined by `seed`.
 */
export function orderForSample(entries: readonly LogEntry[], seed: number): number[] {
  const shuffled = shuffle(entries.length, seed);
  const byGap = shuffled
    .filter((index) => entries[index]?.gap !== undefined)
    .sort((a, b) => (entries[a]?.gap ?? 0) - (entries[b]?.gap ?? 0));
  const extremes = byGap
    .slice(0, EXTREMES)
    .flatMap((smallest, at) => [smallest, byGap.at(-1 - at) ?? smallest]);
  const having = (name: "errors" | "contaminated" | "warnings"): number[] =>
    shuffled.filter((index) => (entries[index]?.[name] ?? 0) > 0);
  const ordered = [
    ...having("errors"),
    ...having("contaminated"),
    ...extremes,
    ...having("warnings"),
    ...shuffled,
  ];
  return [...new Set(ordered)];
}

/** The numbers from 0 to below `count` in random order (Fisher and Yates). */
function shuffle(count: number, seed: number): number[] {
  const random = xoroshiro128plus(seed);
  const numbers = Array.from({ length: count }, (_, index) => index);
  for (let end = count - 1; end > 0; end -= 1) {
    const at = uniformInt(random, 0, end);
    const [a = 0, b = 0] = [numbers[at], numbers[end]];
    numbers[at] = b;
    numbers[end] = a;
  }
  return numbers;
}
