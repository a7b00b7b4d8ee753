import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RolloutTraceStep } from "#generated/index.js";
import { isJsonObject } from "../../../base/json/value.js";
import { findFaults } from "../../../base/testing/find-faults.js";
import { createRevokedProxy, oddValue } from "../../../base/testing/odd-value.js";
import { runCount } from "../../../base/testing/run-count.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { createCaptured } from "../../wire/scoring/testing/create-captured.js";
import type { TraceKind, TracePrompt } from "./kind.js";
import { traceKinds } from "./kinds.js";
import { createTracer, type Tracer } from "./tracer.js";

const { message, problem } = traceKinds;

/** A history that an environment extends in place, as most do. */
function createHistory(): { role: string; content: string }[] {
  return [{ role: "user", content: "Which is larger, 9.9 or 9.11?" }];
}

function onlyStep(tracer: Pick<Tracer<never, never>, "steps">): RolloutTraceStep | undefined {
  const steps = tracer.steps();
  expect(steps).toHaveLength(1);
  return steps?.[0];
}

describe("the prompt is as it was before the step", () => {
  const asked = { messages: createHistory() };

  test("when it finishes", () => {
    const tracer = createTracer(message, { enabled: true });
    const history = createHistory();
    const step = tracer.begin(history);
    history.push({ role: "assistant", content: "9.9" });
    step.finish({ response: "9.9", reward: { correct: 1 }, isDone: true });
    expect(onlyStep(tracer)).toEqual({
      prompt: asked,
      policy_response: { role: "assistant", content: "9.9" },
      reward_data: { correct: 1 },
      env_state: { done: true },
      extra: { environment: "message" },
    });
  });

  test("when the response does not parse", () => {
    const tracer = createTracer(message, { enabled: true });
    const history = createHistory();
    const step = tracer.begin(history);
    history.push({ role: "assistant", content: "<answer>9.9" });
    step.fail(
      "parse_error",
      { response: "<answer>9.9", reward: { format: -1 } },
      new SyntaxError("no closing tag"),
    );
    expect(onlyStep(tracer)).toEqual({
      prompt: asked,
      policy_response: { role: "assistant", content: "<answer>9.9" },
      reward_data: { format: -1 },
      extra: {
        environment: "message",
        outcome: "parse_error",
        error: { name: "SyntaxError", message: "no closing tag" },
      },
    });
  });

  test("when the context overflows before there is a response", () => {
    const tracer = createTracer(message, { enabled: true });
    const history = createHistory();
    const step = tracer.begin(history);
    history.length = 0;
    step.fail("context_overflow", { state: { tokens: 9000 } });
    expect(onlyStep(tracer)).toEqual({
      prompt: asked,
      env_state: { tokens: 9000 },
      extra: { environment: "message", outcome: "context_overflow" },
    });
  });

  test("when it is never ended", () => {
    const tracer = createTracer(message, { enabled: true });
    const history = createHistory();
    tracer.begin(history);
    history.push({ role: "assistant", content: "9.9" });
    expect(onlyStep(tracer)).toEqual({
      prompt: asked,
      extra: { environment: "message", outcome: "unfinished" },
    });
  });

  test("when it cannot be read", () => {
    const tracer = createTracer(message, { enabled: true });
    tracer.begin([createRevokedProxy()]);
    expect(onlyStep(tracer)?.prompt).toEqual({ messages: ["[unreadable]"] });
  });
});

test("later mutation changes no part", () => {
  const tracer = createTracer(problem, { enabled: true });
  const response = { role: "assistant", content: ["nine"] };
  const reward = { terms: [0.25] };
  const state = { turn: 1 };
  const reference = { answer: "9.9" };
  tracer.begin("9.9 or 9.11?").finish({ response, reward, state, reference });
  response.content.push("changed");
  reward.terms.push(1);
  state.turn = 2;
  reference.answer = "changed";
  expect(onlyStep(tracer)).toEqual({
    prompt: { messages: [{ role: "user", content: "9.9 or 9.11?" }] },
    policy_response: { role: "assistant", content: ["nine"] },
    reward_data: { terms: [0.25] },
    env_state: { turn: 1 },
    extra: { environment: "problem", reference: { answer: "9.9" } },
  });
});

describe("off", () => {
  test.each([undefined, {}, { enabled: false }])("with %j", (options) => {
    const tracer = createTracer(problem, options);
    expect([tracer.enabled, tracer.begin("9.9?").enabled, tracer.steps()]).toEqual([
      false,
      false,
      undefined,
    ]);
  });

  test("arguments are not read", () => {
    let reads = 0;
    const watched = new Proxy<{ role: string }[]>([], {
      get: () => {
        reads += 1;
        return undefined;
      },
      has: () => {
        reads += 1;
        return false;
      },
      ownKeys: () => {
        reads += 1;
        return [];
      },
    });
    const tracer = createTracer(message);
    const step = tracer.begin(watched);
    step.finish({ response: "yes", reward: { total: Number.NaN } });
    step.fail("parse_error");
    expect(reads).toBe(0);
  });
});

describe("errors name the step and the field", () => {
  const cases: readonly [string, () => void, string][] = [
    [
      "a number that was printed",
      () => begin().finish({ response: "9.9", reward: { total: "0.500" } }),
      'problem: step 0: reward_data/total is a number printed into a string, "0.500": give the raw number or boolean',
    ],
    [
      "a prompt that has the response already",
      () => {
        const history = [...createHistory(), { role: "assistant", content: "9.9" }];
        begin(history).finish({ response: "9.9", reward: {} });
      },
      "problem: step 0: the prompt ends with the step's own response, at /prompt/messages/1: begin the step before the response is appended",
    ],
    [
      "ending a step twice",
      () => {
        const step = begin();
        step.fail("timeout");
        step.finish({ response: "9.9", reward: {} });
      },
      "problem: step 0 has ended already",
    ],
  ];

  function begin(prompt: TracePrompt = "9.9?") {
    return createTracer(problem, { enabled: true }).begin(prompt);
  }

  test.each(cases)("%s", (_, act, problemText) => {
    expect(act).toThrow(new UserError(problemText, EXIT.usage));
  });

  test("after an error the step keeps its prompt, and can still end", () => {
    const tracer = createTracer(problem, { enabled: true });
    const step = tracer.begin("9.9?");
    expect(() => step.finish({ response: "9.9", reward: { total: "1" } })).toThrow(UserError);
    expect(onlyStep(tracer)?.extra).toEqual({ environment: "problem", outcome: "unfinished" });
    step.finish({ response: "9.9", reward: { total: 1 } });
    expect(onlyStep(tracer)?.reward_data).toEqual({ total: 1 });
  });
});

test("numbers that JSON does not have become null, and are listed", () => {
  const tracer = createTracer(problem, { enabled: true });
  const reward = { total: Number.NaN, terms: [1, Number.NEGATIVE_INFINITY], count: 2 ** 60 };
  tracer.begin("9.9?").finish({ response: "9.9", reward });
  expect(onlyStep(tracer)).toMatchObject({
    reward_data: { total: null, terms: [1, null], count: null },
    extra: {
      not_finite: { "/total": "NaN", "/terms/1": "-Infinity", "/count": "1152921504606847000" },
    },
  });
});

describe("traces are valid and follow every rule, whatever the environment does", () => {
  const text = fc.oneof(fc.constant("Yes."), fc.string({ unit: "binary", maxLength: 80 }));
  const role = fc.constantFrom("system", "developer", "user", "assistant", "tool", "player 2");
  const content = fc.oneof(
    text,
    fc.array(fc.record({ type: fc.constant("text"), text })),
    oddValue,
  );
  const messages = fc.array(fc.record({ role, content }));
  const prompt = fc.oneof(text, messages, fc.record({ messages, tools: fc.array(oddValue) }));
  const response = fc.oneof(
    text,
    fc.record({ role, content }),
    fc.record({ content, odd: oddValue }),
  );
  const { term } = fc.letrec((tie) => ({
    term: fc.oneof(
      { depthSize: "small" },
      fc.double(),
      fc.boolean(),
      fc.constantFrom("gold", "1st", "0.5", "True"),
      fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
      fc.constant(2 ** 70),
      fc.array(tie("term")),
      fc.dictionary(fc.string({ unit: "binary" }), tie("term")),
    ),
  }));
  const reward = fc.dictionary(fc.string({ unit: "binary" }), term);
  const criteria = fc.array(
    fc.record({ name: fc.string(), score: fc.oneof(fc.double(), fc.boolean()), reason: text }),
  );
  const outcome = fc.record(
    {
      response,
      reward,
      rewards: reward,
      criteria,
      total: fc.double(),
      isValid: fc.boolean(),
      isDone: fc.boolean(),
      player: text,
      teacher: text,
      reference: oddValue,
      state: fc.object(),
      extra: fc.object(),
    },
    { requiredKeys: [] },
  );
  const ending = fc.constantFrom("finish", "fail", "none");
  const steps = fc.array(fc.tuple(prompt, outcome, ending), { maxLength: 4 });

  test.each(Object.values<unknown>(traceKinds).filter(isKind))("$id", (kind) => {
    let built = 0;
    const numRuns = runCount(150);
    fc.assert(
      fc.property(steps, (planned) => {
        const tracer = createTracer(kind, { enabled: true });
        for (const [prompt, outcome, how] of planned) {
          const given = make(prompt);
          const told = { ...outcome, ...makeFields(outcome) };
          const step = tracer.begin(given);
          try {
            if (how === "finish") step.finish(told);
            if (how === "fail") step.fail("parse_error", told, told.reference);
          } catch (error) {
            if (!(error instanceof UserError)) throw error;
          }
        }
        const traces = tracer.steps() ?? [];
        built += traces.length;
        expect(traces.length).toBe(planned.length);
        for (const trace of traces) expect(findFaults(trace, "RolloutTraceStep")).toEqual([]);
        const branch = { ...createCaptured(), steps: traces };
        expect(findFaults(branch, "RolloutBranch")).toEqual([]);
      }),
      { numRuns },
    );
    expect(built).toBeGreaterThan(numRuns / 2);
  });
});

/** Odd values are created on demand, because fast-check inspects generated values. */
function make(value: unknown): unknown {
  if (typeof value === "function") return value();
  if (Array.isArray(value)) return value.map(make);
  return isJsonObject(value) ? makeFields(value) : value;
}

function makeFields(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, make(child)]));
}

function isKind(kind: unknown): kind is TraceKind<unknown, Record<string, unknown>> {
  return typeof kind === "object" && kind !== null && "toPrompt" in kind;
}
