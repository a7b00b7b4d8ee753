import { describe, expect, test } from "vitest";
import { MAX_LISTED, RolloutCounts } from "./rollout-counts.js";
import type { SerializedBuild, SerializedRollout } from "./serializer.js";

describe("RolloutCounts", () => {
  function rollout(fields: Partial<SerializedRollout>): SerializedRollout {
    const position = { hash: 0, input: 0, offset: 0, length: 1, line: 1, checksum: 0 };
    return {
      ...{ id: "r", task: "t", given: [], file: "a", position, branches: 2 },
      ...{ temperatures: [0.7, 0.7] as const, ends: [], build: undefined },
      ...fields,
    };
  }

  function build(fields: Partial<SerializedBuild> = {}): SerializedBuild {
    return { records: [], omitted: [], unreadableToolEvents: 0, missingTools: 0, ...fields };
  }

  test("each rollout is counted once, by its outcome", () => {
    const counts = new RolloutCounts();
    counts.addExported(rollout({}), build({ unreadableToolEvents: 3, missingTools: 2 }));
    counts.addExported(rollout({ branches: 1 }), build());
    counts.addFaulty(rollout({ branches: 4 }));
    counts.addContaminated(rollout({ branches: 5 }));
    expect(counts).toMatchObject({
      rollouts: 2,
      branches: 3,
      faulty: { rollouts: 1, branches: 4 },
      contaminated: { rollouts: 1, branches: 5 },
      unreadableToolEvents: 3,
      missingTools: 2,
    });
  });

  test("rollouts without a record are counted and named per output and reason", () => {
    const counts = new RolloutCounts();
    counts.addExported(rollout({ id: "a" }), build({ omitted: ["single-branch", undefined] }));
    const omitted = ["single-branch", undefined, "not-solved"];
    counts.addExported(rollout({ id: "b" }), build({ omitted }));
    counts.addFaulty(rollout({}));
    expect([0, 1, 2, 3].map((output) => [...counts.omitted(output)])).toEqual([
      [["single-branch", { count: 2, rollouts: ["a", "b"] }]],
      [],
      [["not-solved", { count: 1, rollouts: ["b"] }]],
      [],
    ]);
  });

  test("only the first rollouts of a reason and the first pairs are listed", () => {
    const counts = new RolloutCounts();
    const pair = { chosen: 0, rejected: 1, scores: [1, 0] as const };
    for (let index = 0; index < MAX_LISTED + 5; index += 1) {
      counts.addExported(rollout({ id: `r-${index}` }), build({ omitted: ["off-context"] }));
      counts.addExported(rollout({ id: `p-${index}` }), build({ pairs: [pair, pair] }));
    }
    const { count, rollouts } = counts.omitted(0).get("off-context") ?? { count: 0, rollouts: [] };
    expect([count, rollouts.length, rollouts.at(-1)]).toEqual([105, 100, "r-99"]);
    expect([counts.pairs.length, counts.pairs.at(-1)?.rollout]).toEqual([100, "p-49"]);
  });

  test("reasons are in fixed order, regardless of which came first", () => {
    const counts = new RolloutCounts();
    for (const reason of ["stray-result", "no-preference", "single-branch"]) {
      counts.addExported(rollout({}), build({ omitted: [reason] }));
    }
    expect([...counts.omitted(0).keys()]).toEqual([
      "single-branch",
      "no-preference",
      "stray-result",
    ]);
  });
});
