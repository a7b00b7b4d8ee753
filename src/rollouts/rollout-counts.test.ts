import { describe, expect, test } from "vitest";
import { RolloutCounts } from "./rollout-counts.js";
import type { SerializedRollout } from "./serializer.js";

describe("RolloutCounts", () => {
  function rollout(fields: Partial<SerializedRollout>): SerializedRollout {
    const position = { hash: 0, input: 0, offset: 0, length: 1, line: 1, checksum: 0 };
    return {
      ...{ id: "r", task: "t", file: "a", position, branches: 2, faulty: false },
      temperatures: [0.7, 0.7],
      ...{ ends: [], records: [], omitted: [], unreadableToolEvents: 0, missingTools: 0 },
      ...fields,
    };
  }

  test("each rollout is counted once, by its outcome", () => {
    const counts = new RolloutCounts();
    counts.addExported(rollout({ unreadableToolEvents: 3, missingTools: 0 }));
    counts.addExported(rollout({ branches: 1 }));
    counts.addFaulty(rollout({ branches: 4 }));
    counts.addContaminated(rollout({ branches: 5 }));
    expect(counts).toMatchObject({
      rollouts: 2,
      branches: 3,
      faulty: { rollouts: 1, branches: 4 },
      contaminated: { rollouts: 1, branches: 5 },
      unreadableToolEvents: 3,
      missingTools: 0,
    });
  });

  test("reasons for missing records are counted per output", () => {
    const counts = new RolloutCounts();
    counts.addExported(rollout({ omitted: ["single-branch", undefined] }));
    counts.addExported(rollout({ omitted: ["single-branch", undefined, "not-solved"] }));
    counts.addFaulty(rollout({ omitted: ["never counted"] }));
    expect([0, 1, 2, 3].map((output) => [...counts.omitted(output)])).toEqual([
      [["single-branch", 2]],
      [],
      [["not-solved", 1]],
      [],
    ]);
  });

  test("reasons are in fixed order, regardless of which came first", () => {
    const counts = new RolloutCounts();
    for (const reason of ["stray-result", "no-preference", "single-branch"]) {
      counts.addExported(rollout({ omitted: [reason] }));
    }
    expect([...counts.omitted(0).keys()]).toEqual([
      "single-branch",
      "no-preference",
      "stray-result",
    ]);
  });
});
