import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Message, RolloutBranchRecord } from "#generated/index.js";
import { runCount } from "../../../base/testing/run-count.js";
import { BranchConversation } from "../conversation/conversation.js";
import { buildRollout } from "./build-rollout.js";
import { compareTurns, PAIR_FORMS, type PairForm } from "./comparison.js";
import { OMISSION_REASONS } from "./reasons.js";
import { resolveExportOptions } from "./targets/target.js";
import { trl } from "./targets/trl.js";
import { createBranch } from "./testing/create-branch.js";
import { createEvent } from "./testing/create-event.js";
import { rolloutArbitrary } from "./testing/rollout-arbitrary.js";

const call = (args: object, callId: string, output: unknown) =>
  createEvent({ event: "tool_call", data: { toolName: "add", args, callId, output } });

function compare(
  chosen: Partial<RolloutBranchRecord>,
  rejected: Partial<RolloutBranchRecord>,
  form: PairForm = "divergence",
) {
  const pair = {
    chosen: createBranch(chosen),
    rejected: createBranch({ branch_index: 1, rank: 2, total_score: 0, ...rejected }),
  };
  return compareTurns(pair, form, (branch) => new BranchConversation(branch));
}

describe("branches part", () => {
  const first = call({ a: 2 }, "c1", 4);
  const same = call({ a: 2 }, "x9", 4);

  test("in their answers, after calls that differ only in their ids", () => {
    for (const form of PAIR_FORMS) {
      const { preference } = compare(
        { tool_call_sequence: [first] },
        { tool_call_sequence: [same], final_answer: "five" },
        form,
      );
      expect(preference).toMatchObject({
        chosenTurn: { role: "assistant", content: "four" },
        rejectedTurn: { role: "assistant", content: "five" },
        divergenceTurn: 1,
      });
      expect(preference?.prompt.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    }
  });

  test("in a call, which is no pair of answers", () => {
    const [better, worse] = [
      { tool_call_sequence: [first, call({ a: 3 }, "c2", 5)] },
      { tool_call_sequence: [same, call({ a: 7 }, "x8", 9)] },
    ];
    expect(compare(better, worse).preference).toMatchObject({
      chosenTurn: { tool_calls: [{ id: "c2", function: { arguments: { a: 3 } } }] },
      rejectedTurn: { tool_calls: [{ id: "x8", function: { arguments: { a: 7 } } }] },
      divergenceTurn: 1,
    });
    expect(compare(better, worse, "answer").reason).toBe("off-context");
  });

  test("where one calls and the other answers", () => {
    const { preference } = compare({ tool_call_sequence: [first] }, { final_answer: "" });
    expect(preference).toMatchObject({
      prompt: [{ role: "user" }],
      chosenTurn: { tool_calls: [{ id: "c1" }] },
      rejectedTurn: { content: "" },
      divergenceTurn: 0,
    });
  });
});

describe("fields that no model reads", () => {
  const said = (content: string, fields: object = {}): Message => ({
    role: "assistant",
    content,
    ...fields,
  });
  const called = (id: string, fields: object = {}, functionFields: object = {}): Message[] => [
    said("", {
      tool_calls: [
        {
          id,
          type: "function",
          function: { name: "f", arguments: {}, ...functionFields },
          ...fields,
        },
      ],
    }),
    { role: "tool", content: "ok", tool_call_id: id },
  ];

  test.each<[string, Message[], Message[]]>([
    ["of a message", [said("hi", { timestamp: 1 })], [said("hi", { refusal: null })]],
    ["empty reasoning", [said("hi", { reasoning_content: "" })], [said("hi")]],
    ["the name of an assistant", [said("hi", { name: "a" })], [said("hi", { name: "b" })]],
    [
      "an answered call of an assistant",
      [said("hi", { tool_call_id: "1" })],
      [said("hi", { tool_call_id: "2" })],
    ],
    ["of a call", called("a", { index: 0 }), called("b")],
    ["of a called function", called("a", {}, { strict: true }), called("b")],
    [
      "of a user turn",
      [said("hi"), { role: "user", content: "u", ...{ at: 1 } }],
      [said("hi"), { role: "user", content: "u", ...{ at: 2 } }],
    ],
  ])("make no pair, and do not hide a later one: %s", (_, one, other) => {
    expect(compare({ turns: one }, { turns: other })).toEqual({ reason: "identical-answers" });
    const { preference } = compare(
      { turns: [...one, said("good", { timestamp: 3 })] },
      { turns: [...other, said("bad", { timestamp: 4 })] },
    );
    expect(preference?.chosenTurn).toEqual({ role: "assistant", content: "good" });
    expect(preference?.rejectedTurn).toEqual({ role: "assistant", content: "bad" });
    expect(JSON.stringify(preference?.prompt)).not.toMatch(/timestamp|refusal|index|strict|at"/);
  });
});

describe("no turns to compare", () => {
  test.each<[string, Partial<RolloutBranchRecord>, Partial<RolloutBranchRecord>, string]>([
    ["the same conversation", {}, {}, "identical-answers"],
    [
      "turns that only white space around them distinguishes, which chat templates remove",
      { final_answer: "four" },
      { final_answer: "four \n" },
      "identical-answers",
    ],
    [
      "a better turn of white space",
      { final_answer: " " },
      { final_answer: "four" },
      "empty-chosen",
    ],
    [
      "another result of the same call",
      { tool_call_sequence: [call({}, "c", 1)] },
      { tool_call_sequence: [call({}, "c", 2)] },
      "off-context",
    ],
    [
      "another system prompt",
      { context: { messages: [{ role: "system", content: "a" }] } },
      { context: { messages: [{ role: "system", content: "b" }] }, final_answer: "five" },
      "off-context",
    ],
    [
      "an earlier turn of the model that differs",
      { context: { messages: [{ role: "assistant", content: "a" }] } },
      { context: { messages: [{ role: "assistant", content: "b" }] }, final_answer: "five" },
      "off-context",
    ],
    [
      "other tools",
      { context: { tools: [] } },
      {
        context: { tools: [{ type: "function", function: { name: "f", parameters: {} } }] },
        final_answer: "five",
      },
      "off-context",
    ],
    [
      "a conversation that ends where the other continues",
      { turns: [{ role: "assistant", content: "four" }] },
      {
        turns: [
          { role: "assistant", content: "four" },
          { role: "user", content: "Why?" },
        ],
      },
      "off-context",
    ],
    [
      "an empty answer that is chosen",
      { final_answer: "" },
      { final_answer: "five" },
      "empty-chosen",
    ],
  ])("%s", (_, chosen, rejected, reason) => {
    for (const form of PAIR_FORMS) expect(compare(chosen, rejected, form).reason).toBe(reason);
  });
});

/** The messages with the ids of calls replaced by their order. */
function withoutIds(messages: readonly Message[]): unknown {
  const ids = new Map<string | undefined, string>();
  return messages.map(({ tool_calls: calls, tool_call_id: answered, ...rest }) => ({
    ...rest,
    ...(calls && {
      calls: calls.map((each) => {
        ids.set(each.id, `${ids.size}`);
        return each.function;
      }),
    }),
    ...(answered !== undefined && { answered: ids.get(answered) ?? "no call" }),
  }));
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("every pair stands on common ground, and every rollout has a pair or one reason", () => {
  const rollouts = runCount(100_000, 3000);
  const outcomes = new Map<string, number>();
  fc.assert(
    fc.property(rolloutArbitrary, fc.constantFrom(...PAIR_FORMS), (branches, pairs) => {
      const options = resolveExportOptions({ pairs });
      const { records, omitted } = buildRollout(branches, trl, options);
      const outcome = omitted.dpo ?? "pair";
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      expect(records.dpo.length).toBe(omitted.dpo === undefined ? 1 : 0);
      if (omitted.dpo !== undefined) return;
      const [best, worst] = [branches[0], branches.at(-1)];
      if (best === undefined || worst === undefined) throw new RangeError("no branches");
      const { preference } = compareTurns(
        { chosen: best, rejected: worst },
        pairs,
        (branch) => new BranchConversation(branch),
      );
      const { prompt = [], chosenTurn, rejectedTurn } = preference ?? {};
      for (const [branch, turn] of [
        [best, chosenTurn],
        [worst, rejectedTurn],
      ] as const) {
        const whole = new BranchConversation(branch).messages;
        expect(asJson(withoutIds(whole.slice(0, prompt.length)))).toEqual(
          asJson(withoutIds(prompt)),
        );
        expect(whole[prompt.length]).toEqual(turn);
        expect(turn?.role).toBe("assistant");
      }
      expect(asJson(withoutIds([chosenTurn ?? []].flat()))).not.toEqual(
        asJson(withoutIds([rejectedTurn ?? []].flat())),
      );
      expect(best.total_score).toBeGreaterThan(worst.total_score);
    }),
    { numRuns: rollouts },
  );
  const counted = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
  expect(counted).toBe(rollouts);
  expect(
    [...outcomes.keys()].filter((each) => !["pair", ...OMISSION_REASONS].includes(each)),
  ).toEqual([]);
  expect(outcomes.get("pair") ?? 0).toBeGreaterThan(rollouts / 50);
  expect(outcomes.size).toBeGreaterThan(6);
});
