import fc from "fast-check";
import { expect, test } from "vitest";
import { countAttacks } from "../../base/testing/attacks.js";
import { isNightly, runCount } from "../../base/testing/run-count.js";
import { DIRECTIONS } from "./compare-versions.js";
import { arbitraryLayoutPair } from "./testing/arbitrary-layout.js";
import {
  type Comparison,
  compareLayouts,
  consultSolver,
  describeFault,
  judgeClaims,
} from "./testing/hunt.js";
import type { LayoutVersion } from "./testing/lay-out.js";

/** The number of random pairs. COMPAT_HUNT_PAIRS=2000 takes twice as long, some minutes on two slow cores. */
const PAIRS = Number(process.env.COMPAT_HUNT_PAIRS ?? runCount(1000, 150));
const SEED = Number(process.env.COMPAT_HUNT_SEED ?? 1);

/** What the pairs must show, as minimum shares of all pairs: otherwise the test would look at nothing. */
const ENOUGH: Readonly<Record<string, readonly [share: number, (each: Comparison) => boolean]>> = {
  collections: [0.1, ({ kinds }) => kinds.includes("collection")],
  unions: [0.2, ({ kinds }) => kinds.includes("union")],
  "unions of another kind": [
    // Too rare for few pairs.
    isNightly ? 0.005 : 0,
    ({ versions }) => new Set(["", ...versions.map(unionOf)]).size === 3,
  ],
  "types against unions": [0.01, ({ kinds }) => new Set(kinds).size === 2],
  "several files": [0.1, ({ versions }) => versions.some(({ files }) => files.size > 1)],
  fragments: [0.1, ({ versions }) => versions.some(({ fragment }) => fragment !== undefined)],
  "draft-07": [0.1, ({ versions }) => versions.some(({ dialect }) => dialect === "draft-07")],
  "2019-09": [0.1, ({ versions }) => versions.some(({ dialect }) => dialect === "2019-09")],
  "other dialects": [0.02, ({ versions: [one, other] }) => one.dialect !== other.dialect],
  compatible: [0.25, ({ verdicts }) => DIRECTIONS.some((each) => verdicts[each] === "compatible")],
  breaking: [0.25, ({ verdicts }) => DIRECTIONS.some((each) => verdicts[each] === "breaking")],
};

function unionOf({ files, path }: Comparison["versions"][number]): string {
  const document = files.get(path) ?? {};
  return ["anyOf", "oneOf"].find((keyword) => Object.hasOwn(document, keyword)) ?? "";
}

test("an independent validator refutes no verdict, and an independent solver contradicts none, in any layout", (context) => {
  const attacks = countAttacks(context, "pairs of laid-out schemas", PAIRS);
  const pairs = fc.sample(arbitraryLayoutPair, { seed: SEED, numRuns: PAIRS });
  const pool: unknown[] = [];
  const compared: Comparison[] = [];
  for (const [index, pair] of pairs.entries()) {
    attacks.attempt(() => compared.push(compareLayouts(index, pair, pool)));
  }
  const claims = compared.flatMap((each) => each.claims);
  const { faults, values, written } = judgeClaims(claims);
  const counts = Object.entries(ENOUGH).map(
    ([name, [, isShown]]) => [name, compared.filter(isShown).length] as const,
  );
  const { decided, faults: disputed } = consultSolver(claims);
  const figures = { seed: SEED, claims: claims.length, values, written, decided, counts };
  context.annotate(JSON.stringify(figures));
  expect([...faults, ...disputed].slice(0, 5).map(describeFault).join("\n")).toBe("");
  expect(decided).toBeGreaterThan(2 * PAIRS);
  const missing = counts.filter(([name, count]) => count < (ENOUGH[name]?.[0] ?? 0) * PAIRS);
  expect(missing).toEqual([]);
  expect(claims.length).toBeGreaterThan(2 * PAIRS);
  expect(written).toBeGreaterThan(30 * PAIRS);
  const undecided = compared.flatMap(({ verdicts }) =>
    DIRECTIONS.filter((each) => verdicts[each] === "undecided"),
  );
  expect(undecided.length).toBeLessThan(0.2 * PAIRS);
});

const version: LayoutVersion = {
  types: { A: { type: "object", properties: { a: { type: "string" } }, required: ["a"] } },
  layout: {
    ...{ root: "anyOf", keyword: "$defs", dialect: "2020-12", moved: [], path: "top/record.json" },
    ...{ filePath: "NAME.json", hasId: false, filesHaveId: false, refersById: false },
    ...{ omitsEnding: false, beside: {}, hasTwins: false, only: undefined },
  },
};
const numbers: LayoutVersion = {
  ...version,
  types: { A: { type: "object", properties: { a: { type: "number" } }, required: ["a"] } },
};

test("the judge refutes a planted `compatible`, a planted `breaking`, and names unknown documents", () => {
  const { claims } = compareLayouts(0, [version, version], []);
  const { claims: broken } = compareLayouts(1, [version, numbers], []);
  expect(judgeClaims([...claims, ...broken]).faults).toEqual([]);
  const [same] = claims;
  const [different] = broken;
  if (same === undefined || different === undefined) throw new Error("two claims are needed");
  const planted = [
    { ...same, reader: { ...different.reader, values: same.writer.values } },
    { ...same, verdict: "breaking" } as const,
    { ...same, reader: { ...same.reader, pointer: "/$defs/Nowhere" } },
  ];
  expect(judgeClaims(planted).faults.map(({ problem }) => problem)).toEqual([
    "a value refutes `compatible`",
    "the witness proves no break",
    expect.stringContaining("Nowhere"),
  ]);
  expect(consultSolver([...claims, ...broken]).faults).toEqual([]);
  const opposite = { compatible: "breaking", breaking: "compatible" } as const;
  const reversed = [same, different].map((claim) => ({
    ...claim,
    verdict: opposite[claim.verdict],
  }));
  expect(consultSolver(reversed).faults.map(({ problem }) => problem)).toEqual([
    "another solver says compatible",
    "another solver says breaking",
  ]);
});
