import fc from "fast-check";
import { expect, test } from "vitest";
import { createTempFolder } from "../../../base/files/temp.js";
import { runCount } from "../../../base/testing/run-count.js";
import { type BucketOptions, LineBuckets } from "./buckets.js";
import { keyOf, type RolloutKey } from "./key.js";

interface Added {
  readonly id: string;
  readonly key: RolloutKey;
  /** The line: its id and its number. */
  readonly text: string;
}

const COUNT = 5;

/** Lines of few rollouts, in any order, some of them longer than what is kept in memory. */
const someLines = fc
  .array(fc.tuple(fc.nat(9), fc.constantFrom(0, 3, 300)), { maxLength: 80 })
  .map((lines) =>
    lines.map(([rollout, length], index): Added => {
      const id = `r-${rollout}`;
      return { id, key: keyOf(id), text: `${id} ${index} ${"x".repeat(length)}` };
    }),
  );

const someSizes = fc.record({
  sortedBytes: fc.constantFrom(1, 100, 1000, 2 ** 20),
  pendingBytes: fc.constantFrom(1, 500, 5000, 2 ** 20),
});

/** Everything that leaves the buckets, in order. */
function passThrough(
  lines: readonly Added[],
  sizes: Pick<BucketOptions, "sortedBytes" | "pendingBytes">,
  homes: ReadonlyMap<number, number> = new Map(),
): string[] {
  const folder = createTempFolder();
  const buckets = new LineBuckets({ folder: folder.path, count: COUNT, ...sizes });
  try {
    for (const { key, text } of lines) buckets.add(key, Buffer.from(text));
    buckets.move(homes);
    return Array.from({ length: COUNT }, (_, index) =>
      [...buckets.read(index)].map(({ line }) => Buffer.from(line).toString()),
    ).flat();
  } finally {
    buckets.close();
    folder.remove();
  }
}

/** The same by a stable sort in memory. */
function sortInMemory(
  lines: readonly Added[],
  homes: ReadonlyMap<number, number> = new Map(),
): string[] {
  const homeOf = ({ key }: Added): number => homes.get(key.high) ?? key.high;
  return lines
    .toSorted((a, b) => homeOf(a) - homeOf(b) || a.key.high - b.key.high || a.key.low - b.key.low)
    .map(({ text }) => text);
}

test("lines leave in the order of their keys, however little is sorted in memory", () => {
  fc.assert(
    fc.property(someLines, someSizes, (lines, sizes) => {
      expect(passThrough(lines, sizes)).toEqual(sortInMemory(lines));
    }),
    { numRuns: runCount(500) },
  );
});

test("rollouts that are moved leave with the others of their new place", () => {
  const someHomes = fc.uniqueArray(fc.nat(9), { minLength: 2 }).map((rollouts) => {
    const [home = 0, ...moved] = rollouts
      .map((rollout) => keyOf(`r-${rollout}`).high)
      .sort((a, b) => a - b);
    return new Map(moved.map((high) => [high, home]));
  });
  fc.assert(
    fc.property(someLines, someSizes, someHomes, (lines, sizes, homes) => {
      expect(passThrough(lines, sizes, homes)).toEqual(sortInMemory(lines, homes));
    }),
    { numRuns: runCount(500) },
  );
});

test("a line that is longer than what is read at a time", () => {
  const long = { id: "r", key: keyOf("r"), text: "x".repeat(2 ** 20) };
  expect(passThrough([long, long], { sortedBytes: 1, pendingBytes: 1 })).toEqual([
    long.text,
    long.text,
  ]);
});
