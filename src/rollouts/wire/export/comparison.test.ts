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
        divergenceTurn: 2,
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
      divergenceTurn: 2,
    });
    expect(compare(better, worse, "answer").reason).toBe("off-context");
  });

  test("where one calls and the other answers", () => {
    const { preference } = compare({ tool_call_sequence: [first] }, { final_answer: "" });
    expect(preference).toMatchObject({
      prompt: [{ role: "user" }],
      chosenTurn: { tool_calls: [{ id: "c1" }] },
      rejectedTurn: { content: "" },
      divergenceTurn: 1,
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
    expect(compare({ turns: one }, { turns: other })).toEqual({ reason: "same-call" });
    const { preference } = compare(
      { turns: [...one, said("good", { timestamp: 3 })] },
      { turns: [...other, said("bad", { timestamp: 4 })] },
    );
    expect(preference?.chosenTurn).toEqual({ role: "assistant", content: "good" });
    expect(preference?.rejectedTurn).toEqual({ role: "assistant", content: "bad" });
    expect(JSON.stringify(preference?.prompt)).not.toMatch(/timestamp|refusal|index|strict|at"/);
  });
});

const said = (content: string): Message => ({ role: "assistant", content });

/** A turn with calls of tools by name, and their results. */
function acted(content: string, id: string, calls: object, output = "ok"): Message[] {
  const made = Object.entries(calls).map(([name, given], index) => ({
    id: `${id}${index}`,
    type: "function" as const,
    function: { name, arguments: given },
  }));
  return [
    { ...said(content), tool_calls: made },
    ...made.map(({ id: answered }): Message => {
      return { role: "tool", content: output, tool_call_id: answered };
    }),
  ];
}

describe("branches part in an act", () => {
  const polite = acted("Of course, let me look.", "p", { find: { id: 7 } });
  const curt = acted("", "c", { find: { id: 7 } });
  const user: Message = { role: "user", content: "Go on." };

  test("and what they said before makes no difference: the prompt has the words of the better one", () => {
    const { preference } = compare(
      { turns: [...polite, said("Sure?"), user, ...acted("", "p1", { cancel: { id: 7 } })] },
      { turns: [...curt, said("Really?"), user, ...acted("Yes.", "c1", { cancel: { id: 8 } })] },
      "act",
    );
    expect(preference).toMatchObject({
      prompt: [{ content: "What is 2+2?" }, polite[0], polite[1], said("Sure?"), user],
      chosenTurn: { tool_calls: [{ id: "p10", function: { arguments: { id: 7 } } }] },
      rejectedTurn: { content: "Yes.", tool_calls: [{ function: { arguments: { id: 8 } } }] },
      commonPrompt: "same-acts",
      divergenceTurn: 3,
    });
  });

  test("or in an act of one against none of the other", () => {
    const one = { turns: [...polite, ...acted("", "p1", { cancel: {} })] };
    const other = { turns: [...curt, said("I cannot.")] };
    expect(compare(one, other, "act").preference).toMatchObject({
      chosenTurn: { tool_calls: [{ function: { name: "cancel" } }] },
      rejectedTurn: said("I cannot."),
      divergenceTurn: 2,
    });
    expect(compare(other, one, "act").preference).toMatchObject({ chosenTurn: said("I cannot.") });
  });

  test("or in the names, number or order of parallel calls", () => {
    const turns = (...[calls]: [object]) => ({ turns: acted("", "x", calls) });
    const two = turns({ a: {}, b: {} });
    for (const other of [{ a: {} }, { b: {}, a: {} }, { a: {}, c: {} }, { a: {}, b: { x: 1 } }]) {
      expect(compare(two, turns(other), "act").preference?.divergenceTurn).toBe(1);
    }
    expect(compare(two, turns({ a: {}, b: {} }), "act").reason).toBe("same-call");
  });

  test("else in their last texts, white space aside", () => {
    expect(
      compare({ turns: [...polite, said("Done.")] }, { turns: [...curt, said("Failed.")] }, "act")
        .preference,
    ).toMatchObject({
      prompt: [{ role: "user" }, polite[0], polite[1]],
      chosenTurn: said("Done."),
      rejectedTurn: said("Failed."),
      commonPrompt: "same-acts",
      divergenceTurn: 2,
    });
    expect(
      compare({ turns: [...polite, said("Done.")] }, { turns: [...curt, said("Done. ")] }, "act"),
    ).toEqual({ reason: "same-call" });
  });

  test("also beside the same call at the end", () => {
    const finish = (content: string, id: string) => acted(content, id, { finish: {} }).slice(0, 1);
    const { preference } = compare(
      { turns: [...polite, ...finish("Repaired.", "f")] },
      { turns: [...curt, ...finish("I give up.", "g")] },
      "act",
    );
    expect(preference).toMatchObject({
      chosenTurn: { content: "Repaired.", tool_calls: [{ function: { name: "finish" } }] },
      rejectedTurn: { content: "I give up.", tool_calls: [{ function: { name: "finish" } }] },
      divergenceTurn: 2,
    });
  });

  test("a call with and without a courtesy is the same call", () => {
    const same: [Message[], Message[]][] = [
      [polite, curt],
      [polite.slice(0, 1), curt.slice(0, 1)],
      [
        [...polite, said("Done.")],
        [...curt, said("Done.")],
      ],
    ];
    for (const [one, other] of same) {
      expect(compare({ turns: one }, { turns: other }, "act")).toEqual({ reason: "same-call" });
    }
    // As before, that is a pair of turns.
    expect(compare({ turns: polite }, { turns: curt }).preference?.divergenceTurn).toBe(1);
  });

  test("equal prompts are identical", () => {
    const { preference } = compare(
      { turns: [...curt, ...acted("", "p1", { cancel: {} })] },
      { turns: [...acted("", "other", { find: { id: 7 } }), said("No.")] },
      "act",
    );
    expect(preference?.commonPrompt).toBe("identical");
  });

  test("a result or a user turn that differs before is another context", () => {
    const failed = acted("", "c", { find: { id: 7 } }, "not found");
    expect(
      compare({ turns: [...polite, said("a")] }, { turns: [...failed, said("b")] }, "act").reason,
    ).toBe("off-context");
    expect(
      compare(
        { turns: [...polite, said("a"), user, said("b")] },
        { turns: [...curt, said("c"), { ...user, content: "Stop." }, said("d")] },
        "act",
      ).reason,
    ).toBe("off-context");
  });

  test("earlier turns of the model in the context are no acts: they must be equal", () => {
    const context = (content: string) => ({ context: { messages: [said(content)] } });
    expect(compare({ ...context("a"), final_answer: "x" }, context("b"), "act").reason).toBe(
      "different-prompts",
    );
  });
});

/** A reason that depends on the form. */
const SAME = "the same";

describe("no turns to compare", () => {
  test.each<[string, Partial<RolloutBranchRecord>, Partial<RolloutBranchRecord>, string]>([
    ["the same conversation", {}, {}, SAME],
    [
      "turns that only white space around them distinguishes, which chat templates remove",
      { final_answer: "four" },
      { final_answer: "four \n" },
      SAME,
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
      "different-prompts",
    ],
    [
      "an earlier turn of the model that differs",
      { context: { messages: [{ role: "assistant", content: "a" }] } },
      { context: { messages: [{ role: "assistant", content: "b" }] }, final_answer: "five" },
      "different-prompts",
    ],
    [
      "other tools",
      { context: { tools: [] } },
      {
        context: { tools: [{ type: "function", function: { name: "f", parameters: {} } }] },
        final_answer: "five",
      },
      "different-prompts",
    ],
    [
      "another first message beside the task",
      { turns: [{ role: "user", content: "a" }, said("one")] },
      { turns: [{ role: "user", content: "b" }, said("two")] },
      "different-prompts",
    ],
    [
      "a first message that only one was given",
      { turns: [{ role: "user", content: "a" }, said("one")] },
      { turns: [said("two")] },
      "different-prompts",
    ],
    [
      "another answer of the user",
      { turns: [said("one"), { role: "user", content: "a" }, said("two")] },
      { turns: [said("one"), { role: "user", content: "b" }, said("three")] },
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
    for (const form of PAIR_FORMS) {
      const same = form === "answer" ? "identical-answers" : "same-call";
      expect(compare(chosen, rejected, form).reason).toBe(reason === SAME ? same : reason);
    }
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

/** A message by what its side did; what another side said stays. */
function withoutWords(message: Message): Message {
  if (message.role !== "assistant") return message;
  const { reasoning_content: _, ...rest } = message;
  return { ...rest, content: "" };
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
      const [made] = buildRollout(branches, trl, options).pairs;
      const [best, worst] = [made?.chosen, made?.rejected].map((index) =>
        branches.find(({ branch_index }) => branch_index === index),
      );
      if (best === undefined || worst === undefined) throw new RangeError("no branches");
      const { preference } = compareTurns(
        { chosen: best, rejected: worst },
        pairs,
        (branch) => new BranchConversation(branch, { openEnd: true }),
      );
      const { prompt = [], chosenTurn, rejectedTurn } = preference ?? {};
      for (const [branch, turn] of [
        [best, chosenTurn],
        [worst, rejectedTurn],
      ] as const) {
        const whole = new BranchConversation(branch, { openEnd: true }).messages;
        const isLoose = branch === worst && preference?.commonPrompt === "same-acts";
        const view = (messages: readonly Message[]) =>
          asJson(withoutIds(isLoose ? messages.map(withoutWords) : messages));
        expect(view(whole.slice(0, prompt.length))).toEqual(view(prompt));
        expect(whole[prompt.length]).toEqual(turn);
        expect(turn?.role).toBe("assistant");
      }
      if (preference?.commonPrompt === "same-acts") expect(pairs).toBe("act");
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
