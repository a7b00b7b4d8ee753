import { describe, expect, test } from "vitest";
import { UserError } from "../../user-error.js";
import { createTracer } from "./create-tracer.js";
import { type Comparison, fillPreferences, type PerTrajectory } from "./fill-preferences.js";
import { preference } from "./kinds/preference.js";
import type { TraceResponse } from "./trace-kind.js";

/** A group of three trajectories, each with one step under way. */
function createGroup(enabled = true) {
  return ["a", "b", "c"].map((id) => {
    const tracer = createTracer(preference, { enabled });
    return { id, tracer, step: tracer.begin("Name a prime.") };
  });
}

/** What each trajectory's trace says of its response, or how its step ended. */
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
  isValid: BY_ORDER.isValid,
  rewards: new Map([
    ["b", { win_rate: 1 }],
    ["c", { win_rate: 0 }],
    ["a", { win_rate: 0.5 }],
  ]),
};

test.each([
  ["in their order", BY_ORDER],
  ["by their ids, in whatever order", BY_ID],
])("responses land on their trajectories, %s", (_, comparison) => {
  const group = createGroup();
  fillPreferences(group, comparison);
  expect(readGroup(group)).toEqual(["2", "3", "4"]);
});

test("so do validity and rewards", () => {
  const group = createGroup();
  fillPreferences(group, BY_ID);
  expect(group.map(({ tracer }) => tracer.steps()?.[0]?.reward_data)).toEqual([
    { win_rate: 0.5, is_valid: true },
    { win_rate: 1, is_valid: true },
    { win_rate: 0, is_valid: false },
  ]);
});

describe("what does not belong together is refused, and no step is finished", () => {
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
      'rewards names trajectory "d", which is none of the group',
    ],
  ];

  test.each(faults)("%s", (_, fault, message) => {
    const group = createGroup();
    const act = () => fillPreferences(group, { ...BY_ORDER, ...fault });
    expect(act).toThrow(UserError);
    expect(act).toThrow(`preference: ${message}`);
    expect(readGroup(group)).toEqual(["unfinished", "unfinished", "unfinished"]);
  });

  test("two trajectories of one id", () => {
    const group = createGroup().map((each) => ({ ...each, id: "a" }));
    expect(() => fillPreferences(group, BY_ORDER)).toThrow(
      'preference: two trajectories are called "a"',
    );
  });

  test("responses in another order than they were sampled", () => {
    const sampled = ["2", { role: "assistant", content: "3" }, undefined];
    const group = createGroup();
    const told = group.map((each, index) => {
      const response = sampled[index];
      return response === undefined ? each : { ...each, response };
    });
    const swapped = { ...BY_ORDER, responses: ["2", "4", "3"] };
    expect(() => fillPreferences(told, swapped)).toThrow(
      'preference: responses has for trajectory "b" not what it sampled',
    );
    expect(readGroup(group)).toEqual(["unfinished", "unfinished", "unfinished"]);
    fillPreferences(told, BY_ORDER);
    expect(readGroup(group)).toEqual(["2", "3", "4"]);
  });
});

test("off, nothing is looked at", () => {
  const group = createGroup(false);
  expect(() => fillPreferences(group, { responses: [], isValid: [] })).not.toThrow();
});

function withHole(): PerTrajectory<TraceResponse> {
  const responses = ["2", "3", "4"];
  delete responses[1];
  return responses;
}
