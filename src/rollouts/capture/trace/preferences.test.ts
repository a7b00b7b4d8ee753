import { describe, expect, test } from "vitest";
import { UserError } from "../../../base/user-error.js";
import type { RewardTerms, TraceResponse } from "./kind.js";
import { preference } from "./kinds.js";
import { type Comparison, fillPreferences, type PerTrajectory } from "./preferences.js";
import { createTracer } from "./tracer.js";

const SAMPLED = { a: "2", b: "3", c: "4" };

/** A group of three trajectories, each with one open step and its sampled response. */
function createGroup(enabled = true) {
  return Object.entries(SAMPLED).map(([id, response]) => {
    const tracer = createTracer(preference, { enabled });
    return { id, tracer, step: tracer.begin("Name a prime."), response };
  });
}

/** The response in each trajectory's trace, or how its step ended. */
function readGroup(group: ReturnType<typeof createGroup>): unknown[] {
  return group.map(({ tracer }) => {
    const [step] = tracer.steps() ?? [];
    return step?.policy_response?.content ?? step?.extra?.outcome;
  });
}

const BY_ORDER = { responses: ["2", "3", "4"], isValid: [true, true, false] };
const BY_ID: Comparison = {
  responses: new Map([
    ["c", "4"],
    ["a", "2"],
    ["b", "3"],
  ]),
  isValid: new Map([
    ["b", true],
    ["c", false],
    ["a", true],
  ]),
  rewards: new Map([
    ["b", { win_rate: 1 }],
    ["c", { win_rate: 0 }],
    ["a", { win_rate: 0.5 }],
  ]),
};

test.each([
  ["in their order", BY_ORDER],
  ["by their ids, in any order", BY_ID],
])("responses land on their trajectories, %s", (_, comparison) => {
  const group = createGroup();
  fillPreferences(group, comparison);
  expect(readGroup(group)).toEqual(["2", "3", "4"]);
});

test("validity and rewards land on their trajectories too", () => {
  const group = createGroup();
  fillPreferences(group, BY_ID);
  expect(group.map(({ tracer }) => tracer.steps()?.[0]?.reward_data)).toEqual([
    { win_rate: 0.5, is_valid: true },
    { win_rate: 1, is_valid: true },
    { win_rate: 0, is_valid: false },
  ]);
});

describe("a mismatch is an error, and no step is finished", () => {
  const faults: readonly [string, Partial<Comparison>, string][] = [
    ["too few", { isValid: [true, true] }, "isValid has 2 elements for 3 trajectories"],
    [
      "too many",
      { responses: ["2", "3", "4", "5"] },
      "responses has 4 elements for 3 trajectories",
    ],
    ["a hole", { responses: withHole() }, 'responses has nothing for trajectory "b"'],
    [
      "a missing id",
      { responses: new Map([["a", "2"]]) },
      'responses has nothing for trajectory "b"',
    ],
    [
      "an unknown id",
      { rewards: new Map([["d", {}]]) },
      'rewards names trajectory "d", which is not in the group',
    ],
    [
      "lists beside a Map, whose order cannot be checked",
      { responses: BY_ID.responses },
      "isValid is a list and responses a Map: give both in the order of the trajectories, or both by id",
    ],
  ];

  test.each(faults)("%s", (_, fault, message) => {
    const group = createGroup();
    const act = () => fillPreferences(group, { ...BY_ORDER, ...fault });
    expect(act).toThrow(UserError);
    expect(act).toThrow(`preference: ${message}`);
    expect(readGroup(group)).toEqual(["unfinished", "unfinished", "unfinished"]);
  });

  test("two trajectories with one id", () => {
    const group = createGroup().map((each) => ({ ...each, id: "a" }));
    expect(() => fillPreferences(group, BY_ORDER)).toThrow(
      'preference: two trajectories are called "a"',
    );
  });

  test("one step in two trajectories", () => {
    const [first, ...others] = createGroup();
    const group = others.map((each) => ({ ...each, step: first?.step ?? each.step }));
    const comparison = { responses: ["3", "4"], isValid: [true, true] };
    expect(() => fillPreferences(group, comparison)).toThrow(
      'preference: trajectory "c" has the step of another',
    );
    expect(first?.tracer.steps()?.[0]?.extra?.outcome).toBe("unfinished");
  });

  test("responses in a different order than sampled", () => {
    const group = createGroup();
    const swapped = { ...BY_ORDER, responses: ["2", "4", { role: "assistant", content: "3" }] };
    expect(() => fillPreferences(group, swapped)).toThrow(
      'preference: responses has for trajectory "b" a response that it did not sample',
    );
    expect(readGroup(group)).toEqual(["unfinished", "unfinished", "unfinished"]);
  });

  test("a list needs the sampled responses; Maps do not", () => {
    const group = createGroup().map(({ response: _, ...each }) => each);
    expect(() => fillPreferences(group, BY_ORDER)).toThrow(
      'preference: responses is a list, and trajectory "a" does not say what it sampled: give it as its response, or all values as Maps by id',
    );
    expect(group.map(({ tracer }) => tracer.steps()?.[0]?.extra?.outcome)).toEqual(
      Array.from({ length: 3 }, () => "unfinished"),
    );
    expect(() => fillPreferences(group, BY_ID)).not.toThrow();
  });

  test.each<[string, Partial<Comparison>]>([
    ["a printed reward", { rewards: [{ w: 1 }, { w: "0.500" }, { w: 0 }] }],
    ["a reward that cannot be read", { rewards: [{ w: 1 }, unreadable(), { w: 0 }] }],
  ])("%s of one trajectory; the call can be repeated", (_, fault) => {
    const group = createGroup();
    expect(() => fillPreferences(group, { ...BY_ORDER, ...fault })).toThrow();
    expect(readGroup(group)).toEqual(["unfinished", "unfinished", "unfinished"]);
    fillPreferences(group, BY_ORDER);
    expect(readGroup(group)).toEqual(["2", "3", "4"]);
  });

  test("a step that has ended", () => {
    const group = createGroup();
    group[2]?.step.fail("timeout");
    expect(() => fillPreferences(group, BY_ORDER)).toThrow("preference: step 0 has ended already");
    expect(readGroup(group)).toEqual(["unfinished", "unfinished", "timeout"]);
  });
});

test("does nothing when tracing is off", () => {
  const group = createGroup(false);
  expect(() => fillPreferences(group, { responses: [], isValid: [] })).not.toThrow();
});

function withHole(): PerTrajectory<TraceResponse> {
  const responses = ["2", "3", "4"];
  delete responses[1];
  return responses;
}

function unreadable(): RewardTerms {
  return {
    get w(): number {
      throw new Error("gone");
    },
  };
}
