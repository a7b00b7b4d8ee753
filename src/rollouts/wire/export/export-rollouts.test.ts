import fc from "fast-check";
import { expect, expectTypeOf, test } from "vitest";
import { type DpoTrainingRecord, findErrors, type PpoRecord } from "#generated/index.js";
import { toJsonl } from "../../../base/json/print.js";
import { runCount } from "../../../base/testing/run-count.js";
import { UserError } from "../../../base/user-error.js";
import { exportRollouts } from "./export-rollouts.js";
import { branchArbitrary } from "./testing/branch-arbitrary.js";
import { createBranch } from "./testing/create-branch.js";

const branches = [
  createBranch({
    rollout_id: "paired",
    branch_index: 1,
    final_answer: "five",
    rank: 2,
    total_score: 0,
  }),
  createBranch({ rollout_id: "lonely" }),
  createBranch({ rollout_id: "paired" }),
  createBranch({ rollout_id: "even" }),
  createBranch({ rollout_id: "even", branch_index: 1, rank: 2, tool_call_sequence: [{}] }),
  createBranch({ rollout_id: "lonely too" }),
];

test("training: every rollout is paired or counted, and every branch has a reward", () => {
  const result = exportRollouts(branches, { target: "training" });
  expectTypeOf(result.dpo).toEqualTypeOf<readonly DpoTrainingRecord[]>();
  expect(result.dpo.map(({ provenance }) => provenance.rollout_id)).toEqual(["paired"]);
  expect(result.ppo.map(({ messages }) => messages.at(-1)?.content)).toEqual([
    "four",
    "five",
    "four",
    "four",
    "four",
    "four",
  ]);
  expect(result.rollouts).toBe(4);
  expect([...result.notPaired]).toEqual([
    ["single-branch", 2],
    ["no-preference", 1],
  ]);
  expect(result.unreadableToolEvents).toEqual([
    { rolloutId: "even", branchIndex: 1, eventIndex: 0 },
  ]);
});

test("wire: all records have the same time", () => {
  const result = exportRollouts(branches, { target: "wire", exportedAtMs: 7 });
  expectTypeOf(result.ppo).toEqualTypeOf<readonly PpoRecord[]>();
  const times = [...result.dpo, ...result.ppo].map(({ provenance }) => provenance.exported_at_ms);
  expect(times).toEqual(Array.from({ length: 7 }, () => 7));
  expect(result.ppo.map(({ tool_call_sequence: events }) => events.length)).toContain(1);
  expect(result.unreadableToolEvents).toEqual([]);
});

test.each<[object, RegExp]>([
  [{ target: "tlr" }, /^target must be one of training, wire, trl, .*, is "tlr"$/],
  [{}, /^target must be one of /],
  [
    { target: "trl", minGpa: 1 },
    /^there is no option "minGpa" \(did you mean minGap\?\): use target, /,
  ],
  [{ target: "trl", missingTools: "error" }, /^there is no option "missingTools"/],
  [{ target: "trl", pairs: "turn" }, /^pairs must be one of act, divergence, answer, is "turn"$/],
  [
    { target: "trl", pairing: "best" },
    /^pairing must be one of best-worst, adjacent, all, is "best"$/,
  ],
  [{ target: "trl", minGap: -1 }, /^minGap must be a number from 0$/],
  [{ target: "trl", maxPairs: 0 }, /^maxPairs must be a number from 1$/],
  [{ target: "trl", exportedAtMs: "now" }, /^exportedAtMs must be a number from 0$/],
])("%o: a wrong option is an error that says what is allowed", (options, message) => {
  const call = () => Reflect.apply(exportRollouts, undefined, [branches, options]);
  expect(call).toThrow(UserError);
  expect(call).toThrow(new RegExp(message.source.replace("^", "^exportRollouts: ")));
});

test("without options, the error says what is allowed", () => {
  const call = () => Reflect.apply(exportRollouts, undefined, [branches]);
  expect(call).toThrow(/^exportRollouts: target must be one of training, wire, /);
});

test("no branches give no records", () => {
  const result = exportRollouts([], { target: "wire" });
  expect([result.dpo, result.ppo, result.rollouts, result.notPaired.size]).toEqual([[], [], 0, 0]);
});

test("weights affect the reward", () => {
  const weights = { objective: 1.15, judge: 1.15 };
  const result = exportRollouts([createBranch()], { target: "training", weights });
  expect(result.ppo[0]?.reward).toBe(0.5);
});

test("for any input, the output is valid, round-trips through JSON, and is complete", () => {
  fc.assert(
    fc.property(fc.array(branchArbitrary, { maxLength: 8 }), (input) => {
      const training = exportRollouts(input, { target: "training" });
      const wire = exportRollouts(input, { target: "wire" });
      expect([
        ...training.dpo.flatMap((record) => findErrors("DpoTrainingRecord", record)),
        ...training.ppo.flatMap((record) => findErrors("PpoTrainingRecord", record)),
        ...wire.dpo.flatMap((record) => findErrors("DpoRecord", record)),
        ...wire.ppo.flatMap((record) => findErrors("PpoRecord", record)),
      ]).toEqual([]);
      for (const { dpo, ppo, rollouts, notPaired } of [training, wire]) {
        const unpaired = [...notPaired.values()].reduce((sum, count) => sum + count, 0);
        expect(dpo.length + unpaired).toBe(rollouts);
        const known = input.filter((branch) => branch.objective_status !== "unknown");
        expect(ppo).toHaveLength(known.length);
        const lines = toJsonl([...dpo, ...ppo]).split("\n");
        expect(lines).toHaveLength(dpo.length + ppo.length + 1);
      }
    }),
    { numRuns: runCount(500) },
  );
});
