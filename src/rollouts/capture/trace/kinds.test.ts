import { expect, test } from "vitest";
import type { RolloutTraceStep } from "#generated/index.js";
import { findFaults } from "../../../base/testing/find-faults.js";
import { UserError } from "../../../base/user-error.js";
import type { TraceKind, TracePrompt } from "./kind.js";
import * as kinds from "./kinds.js";
import { traceKinds } from "./kinds.js";
import { createTracer } from "./tracer.js";

const PROMPT = "Name a prime.";
const ASKED = { messages: [{ role: "user", content: PROMPT }] };
const ANSWERED = { role: "assistant", content: "seven" };

/** The trace of one finished step, which passes all rules. */
function trace<Outcome>(
  kind: TraceKind<TracePrompt, Outcome>,
  outcome: Outcome,
): RolloutTraceStep | undefined {
  const tracer = createTracer(kind, { enabled: true });
  tracer.begin(PROMPT).finish(outcome);
  const [step = {}] = tracer.steps() ?? [];
  expect(findFaults(step, "RolloutTraceStep")).toEqual([]);
  expect([step.prompt, step.policy_response]).toEqual([ASKED, ANSWERED]);
  return step;
}

test("traceKinds has every kind that the module exports, under its id", () => {
  const exported = Object.keys(kinds).filter((name) => name !== "traceKinds");
  expect(Object.keys(traceKinds).toSorted()).toEqual(exported.toSorted());
  expect(Object.entries(traceKinds).map(([name, { id }]) => [name, id])).toEqual(
    Object.keys(traceKinds).map((name) => [name, name]),
  );
});

test("a problem: reward terms and the reference", () => {
  const reward = { correct: true, format: 0.1 };
  expect(trace(traceKinds.problem, { response: "seven", reward, reference: 7 })).toMatchObject({
    reward_data: reward,
    extra: { environment: "problem", reference: 7 },
  });
});

test("prompt-only distillation: no reward", () => {
  const step = trace(traceKinds.distillation, { response: "seven", teacher: "large" });
  expect(step?.extra).toEqual({ environment: "distillation", teacher: "large" });
  expect(Object.keys(step ?? {})).not.toContain("reward_data");
});

test("a rubric: scores by criterion, and the grader's reasons apart", () => {
  const criteria = [
    { name: "is prime", score: true, weight: 0.8, reason: "7 is" },
    { name: "is short", score: 0.5, weight: 0.2 },
  ];
  expect(trace(traceKinds.rubric, { response: "seven", criteria, total: 0.9 })).toMatchObject({
    reward_data: {
      total: 0.9,
      scores: { "is prime": true, "is short": 0.5 },
      weights: { "is prime": 0.8, "is short": 0.2 },
    },
    extra: { environment: "rubric", reasons: { "is prime": "7 is" } },
  });
});

test("a rubric: two criteria with one name are an error", () => {
  const criteria = [
    { name: "clear", score: 1 },
    { name: "clear", score: 0 },
  ];
  expect(() => trace(traceKinds.rubric, { response: "seven", criteria })).toThrow(UserError);
});

test("a preference: validity and reward", () => {
  const outcome = { response: "seven", isValid: true, reward: { win_rate: 0.75 } };
  expect(trace(traceKinds.preference, outcome)).toMatchObject({
    reward_data: { win_rate: 0.75, is_valid: true },
  });
});

test("a message: the state and the end of the episode", () => {
  const outcome = { response: "seven", reward: { total: 1 }, state: { turn: 3 }, isDone: true };
  expect(trace(traceKinds.message, outcome)).toMatchObject({
    reward_data: { total: 1 },
    env_state: { turn: 3, done: true },
  });
});

test("multiplayer: whose turn it was, and all rewards", () => {
  const outcome = { response: "seven", player: "x", rewards: { x: 1, o: -1 }, isDone: true };
  expect(trace(traceKinds.multiplayer, outcome)).toMatchObject({
    reward_data: { x: 1, o: -1 },
    env_state: { done: true },
    extra: { environment: "multiplayer", player: "x" },
  });
});
