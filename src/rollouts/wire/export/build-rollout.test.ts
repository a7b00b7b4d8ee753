import { describe, expect, test } from "vitest";
import type { RolloutBranchRecord } from "#generated/index.js";
import { buildRollout } from "./build-rollout.js";
import { targets } from "./targets/index.js";
import type { ExportOptions, ExportTarget } from "./targets/target.js";
import { resolveExportOptions } from "./targets/target.js";
import { createBranch } from "./testing/create-branch.js";
import { createEvent } from "./testing/create-event.js";

const options = resolveExportOptions({ exportedAtMs: 0 });
const target: ExportTarget = {
  id: "t",
  purpose: "",
  readsToolEvents: true,
  readsReasoning: true,
  features: {},
  toDpo: ({ chosen, rejected }) => ({ pair: [chosen.branch_index, rejected.branch_index] }),
  toPpo: ({ branch_index }) => ({ reward: branch_index }),
  toSft: ({ branch_index }) => ({ demonstration: branch_index }),
};
const odd = createEvent({ note: "?" });
const first = createBranch({
  rank: 2,
  total_score: 0,
  final_answer: "5",
  tool_call_sequence: [odd],
});
const second = createBranch({ branch_index: 1 });

test("a pair, a demonstration, and a reward for every branch by its index", () => {
  expect(buildRollout([second, first], target, options)).toEqual({
    records: {
      dpo: [{ pair: [1, 0] }],
      ppo: [{ reward: 0 }, { reward: 1 }],
      sft: [{ demonstration: 1 }],
    },
    pairs: [
      {
        chosen: 1,
        rejected: 0,
        scores: [1.15, 0],
        divergenceTurn: undefined,
        commonPrompt: undefined,
      },
    ],
    omitted: {},
    passedOver: 0,
    unrewarded: 0,
    tried: [],
    unreadableToolEvents: [{ rolloutId: "r-1", branchIndex: 0, eventIndex: 0 }],
    missingTools: 0,
  });
});

test("a branch without a verdict gives no reward, and is counted", () => {
  const unknown = createBranch({ branch_index: 2, rank: 3, objective_status: "unknown" });
  const built = buildRollout([second, first, unknown], target, options);
  expect([built.records.ppo, built.unrewarded]).toEqual([[{ reward: 0 }, { reward: 1 }], 1]);
  const alone = buildRollout([{ ...unknown, rank: 1 }], target, options);
  expect([alone.omitted.ppo, alone.unrewarded]).toEqual(["unknown-objective", 1]);
  const { toPpo: _ppo, ...pairs } = target;
  expect(buildRollout([unknown], pairs, options)).toMatchObject({ unrewarded: 0 });
});

test("a target without a builder has no such records, and nothing is omitted", () => {
  const { toDpo: _dpo, toSft: _sft, ...rewards } = target;
  expect(buildRollout([first], rewards, options)).toMatchObject({
    records: { dpo: [], ppo: [{ reward: 0 }], sft: [] },
    omitted: {},
  });
});

test("a target that copies tool events unchanged omits none", () => {
  const carrying = { ...target, readsToolEvents: false };
  expect(buildRollout([first], carrying, options).unreadableToolEvents).toEqual([]);
});

describe("omissions and their reasons", () => {
  test("no suitable branches", () => {
    const unsolved = createBranch({ objective_score: 0 });
    expect(buildRollout([unsolved], target, options).omitted).toEqual({
      dpo: "single-branch",
      sft: "not-solved",
    });
  });

  test("an obstacle in the chosen branch", () => {
    const { toDpo: _, ...comparing } = target;
    const strict: ExportTarget = {
      ...comparing,
      toPreference: ({ chosenTurn }) => ({ chosen: chosenTurn.content }),
      findObstacle: ({ learned }) =>
        learned.some(({ content }) => content === "four") ? "stray-result" : undefined,
    };
    const { records, omitted } = buildRollout([first, second], strict, options);
    expect(omitted).toEqual({ dpo: "stray-result", sft: "stray-result" });
    expect(records).toEqual({ dpo: [], ppo: [{ reward: 0 }, { reward: 1 }], sft: [] });
    const tolerant = { ...strict, findObstacle: () => undefined };
    expect(buildRollout([first, second], tolerant, options)).toMatchObject({
      records: { dpo: [{ chosen: "four" }] },
      omitted: {},
    });
  });
});

describe("branches of equal total scores", () => {
  const { trl, "trl-sft": trlSft } = targets;
  const stray = createEvent({
    event: "tool_result",
    data: { toolName: "f", callId: "?", output: 1 },
  });
  const worst = createBranch({ branch_index: 9, total_score: 0, objective_score: 0 });
  const best = (branch_index: number, tool_call_sequence: (typeof stray)[] = []) =>
    createBranch({
      branch_index,
      tool_call_sequence,
      final_answer: `answer ${branch_index}`,
    });

  const build = (given: readonly RolloutBranchRecord[], to: ExportTarget) =>
    buildRollout(
      given.map((branch, index) => ({ ...branch, rank: index + 1 })),
      to,
      options,
    );

  test("one that the target cannot take does not hide the others, and is counted", () => {
    const built = build([best(0, [stray]), best(1), worst], trlSft);
    expect([built.records.sft.length, built.passedOver, built.omitted]).toEqual([1, 1, {}]);
    expect(built.records.sft[0]).toMatchObject({ messages: [{}, { content: "answer 1" }] });
    const paired = build([best(0, [stray]), best(1), worst], trl);
    expect(paired.pairs).toMatchObject([{ chosen: 1, rejected: 9 }]);
    expect(paired.passedOver).toBe(1);
  });

  test("of the worst ones, too", () => {
    const unusable = { ...worst, branch_index: 10, tool_call_sequence: [stray] };
    const { pairs, passedOver } = build([best(0), worst, unusable], trl);
    expect(pairs).toMatchObject([{ chosen: 0, rejected: 9 }]);
    expect(passedOver).toBe(1);
  });

  test("if the target can take none, the reason is best-unusable; a single one has its own reason", () => {
    const both = [best(0, [stray]), best(1, [stray])];
    expect(build([...both, worst], trlSft).omitted.sft).toBe("best-unusable");
    expect(build([best(0, [stray]), worst], trlSft).omitted.sft).toBe("stray-result");
  });

  test("of different reasons that are not the target's, the first is named", () => {
    const silent = [best(0, [stray]), { ...best(1), final_answer: "" }];
    const { omitted, tried } = build([...silent, worst], trl);
    expect(new Set(tried.map(({ reason }) => reason)).size).toBe(2);
    expect(omitted.dpo).toBe("different-prompts");
  });

  test("all without a preference, or unsolved, are that", () => {
    const equal = [best(0), best(1), best(2)];
    expect(build(equal, trl).omitted.dpo).toBe("no-preference");
    const failed = equal.map((branch) => ({ ...branch, objective_score: 0 as const }));
    expect(build(failed, trlSft).omitted.sft).toBe("not-solved");
  });
});

describe("the conversation of a branch", () => {
  const { training } = targets;

  test("is shared by all records of the rollout", () => {
    const { dpo, ppo } = buildRollout([first, second], training, options).records;
    expect([dpo.length, ppo.length]).toEqual([1, 2]);
    expect(messagesOf(dpo[0])[0]).toBe(messagesOf(ppo[1])[0]);
  });

  test("is read again for the next rollout", () => {
    const [one, other] = [1, 2].map(() => buildRollout([first], training, options).records.ppo[0]);
    expect(messagesOf(one)).toEqual(messagesOf(other));
    expect(messagesOf(one)).not.toBe(messagesOf(other));
  });

  test("is not built for a target that reads no tool events", () => {
    const unread = {
      ...first,
      get tool_call_sequence(): never {
        throw new Error("read");
      },
    };
    const rewards: ExportTarget = { ...target, readsToolEvents: false };
    expect(buildRollout([unread], rewards, options).records.ppo).toEqual([{ reward: 0 }]);
    expect(() => buildRollout([unread], training, options)).toThrow("read");
  });

  function messagesOf(record: object | undefined): readonly unknown[] {
    return record && "messages" in record && Array.isArray(record.messages) ? record.messages : [];
  }
});

test("rejects branches of several rollouts", () => {
  expect(() => buildRollout([], target, options)).toThrow(TypeError);
  expect(() => buildRollout([first, createBranch({ rollout_id: "r-2" })], target, options)).toThrow(
    TypeError,
  );
});

describe("several pairs of a rollout", () => {
  const ranked = [1.2, 0.9, 0.8, 0.1].map((total_score, index) =>
    createBranch({
      branch_index: index,
      rank: index + 1,
      total_score,
      final_answer: String(total_score),
    }),
  );
  const pairsOf = (settings: Partial<ExportOptions>) =>
    buildRollout(ranked, target, { ...options, ...settings }).records.dpo.map((record) =>
      Object.values(record).flat().join("-"),
    );

  test.each<[Partial<ExportOptions>, string[]]>([
    [{}, ["0-3"]],
    [{ pairing: "adjacent" }, ["2-3", "0-1", "1-2"]],
    [{ pairing: "all" }, ["0-3", "1-3", "2-3", "0-2", "0-1", "1-2"]],
    [{ pairing: "all", minGap: 0.35 }, ["0-3", "1-3", "2-3", "0-2"]],
    [{ pairing: "all", maxPairs: 2 }, ["0-3", "1-3"]],
  ])("%j", (settings, expected) => {
    expect(pairsOf(settings)).toEqual(expected);
  });

  test("a gap that is too small is a reason", () => {
    const { omitted } = buildRollout(ranked, target, { ...options, minGap: 2 });
    expect(omitted.dpo).toBe("small-gap");
  });
});

describe("a rollout that lost branches", () => {
  const rankedAs = (...ranks: readonly number[]) =>
    ranks.map((rank) =>
      createBranch({
        branch_index: rank,
        rank,
        total_score: 1 - rank / 10,
        final_answer: `${rank}`,
      }),
    );
  const build = (ranks: readonly number[], lost: number, settings: Partial<ExportOptions> = {}) => {
    const { records, omitted } = buildRollout(
      rankedAs(...ranks),
      target,
      { ...options, ...settings },
      lost,
    );
    return omitted.dpo ?? Object.values(records.dpo[0] ?? {}).flat();
  };

  test.each<[number[], number, unknown]>([
    [[1, 2, 3], 0, [1, 3]],
    [[1, 3], 1, [1, 3]],
    // Rank 0 may be the lost one.
    [[1, 2], 1, "incomplete-rollout"],
    [[2, 3], 1, "incomplete-rollout"],
    [[1], 1, "incomplete-rollout"],
    [[1, 4], 1, "incomplete-rollout"],
  ])("ranks %j, %i lost", (ranks, lost, expected) => {
    expect(build(ranks, lost)).toEqual(expected);
  });

  test("gives no demonstration, and all of its rewards", () => {
    const { records, omitted } = buildRollout(rankedAs(1, 2), target, options, 1);
    expect([omitted.sft, records.ppo.length]).toEqual(["incomplete-rollout", 2]);
  });

  test("can be ranked again by the scores of what is left", () => {
    expect(build([2, 3], 1, { rankAgain: true })).toEqual([2, 3]);
    expect(build([1], 1, { rankAgain: true })).toBe("single-branch");
  });
});
