import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../../base/package.js";
import { DIRECTIONS } from "./schema/schema-set.js";
import { judgePair, type Pair } from "./testing/judge-pair.js";

const layouts: readonly Pair[] = JSON.parse(
  readFileSync(join(packageRoot(), "fixtures/compat/layout-pairs.json"), "utf8"),
);

test("the fixtures have pairs", () => {
  expect(layouts.length).toBeGreaterThan(50);
});

describe("collections, unions, several files, older dialects", () => {
  test.each(layouts.map((pair) => [pair.id, pair] as const))("%s", (_, pair) => {
    const rulings = judgePair(pair);
    for (const direction of DIRECTIONS) {
      const { verdict, isProven } = rulings[direction];
      expect([direction, verdict]).toEqual([direction, pair[direction]]);
      expect(isProven).toBe(verdict === "breaking" ? true : undefined);
    }
  });
});

const number: Pair = {
  id: "number",
  old: { type: "integer" },
  new: { type: "number" },
  backward: "compatible",
  forward: "breaking",
};

test("a version that cannot be read is undecided, not an error", () => {
  const unreadable = { ...number, old: { $schema: "urn:no-dialect" } };
  expect(judgePair(unreadable)).toEqual({
    backward: { verdict: "undecided", isOfWhole: true },
    forward: { verdict: "undecided", isOfWhole: true },
  });
});
