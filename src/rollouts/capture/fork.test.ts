import { getEventListeners } from "node:events";
import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ROLLOUT_BRANCH_SCHEMA_VERSION, type RolloutBranch } from "#generated/index.js";
import { findFaults } from "../../base/testing/find-faults.js";
import { oddObject, oddValue } from "../../base/testing/odd-value.js";
import { runCount } from "../../base/testing/run-count.js";
import { toMessages } from "../wire/conversation/conversation.js";
import { exportRollouts } from "../wire/export/export-rollouts.js";
import { rankScored } from "../wire/scoring/rank.js";
import { checkRollout } from "../wire/validation/check-record.js";
import type { BranchContext, CapturedBranch, ForkAgent } from "./branch.js";
import { forkRollout } from "./fork.js";
import type { ForkOptions } from "./fork-options.js";

/** Records by branch_index. */
async function collect(options: Partial<ForkOptions> & Pick<ForkOptions, "agent">) {
  const records: CapturedBranch[] = [];
  for await (const record of forkRollout({ task: "What is 2+2?", ...options })) {
    records.push(record);
  }
  return records.toSorted((a, b) => a.branch_index - b.branch_index);
}

async function runOne(agent: ForkAgent, options: Partial<ForkOptions> = {}) {
  const [record, ...others] = await collect({ agent, branches: 1, ...options });
  expect(others).toEqual([]);
  if (record === undefined) throw new Error("no record");
  expect(findFaults(record, "RolloutBranch")).toEqual([]);
  return record;
}

/** Waits until all pending work has run. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const never = new Promise<never>(() => {});

describe("branches that end by themselves", () => {
  test("the record has what the agent was given, and its answer", async () => {
    const told: Omit<BranchContext, "signal" | "recorder">[] = [];
    const records = await collect({
      agent: async ({ signal, recorder, ...context }) => {
        told.push(context);
        const callId = recorder.toolCall({ toolName: "add", args: { a: 2, b: 2 } });
        recorder.toolResult({ callId, output: signal.aborted ? 0 : 4 });
        return { finalAnswer: "four", buildResult: { status: "pass" }, objectiveStatus: "pass" };
      },
      rolloutId: "r-1",
      sessionIdPrefix: "s",
      temperatures: [0, 0.5],
      seeds: [7, null],
    });
    expect(told).toEqual([
      { task: "What is 2+2?", branchIndex: 0, temperature: 0, seed: 7, sessionId: "s-b0" },
      { task: "What is 2+2?", branchIndex: 1, temperature: 0.5, seed: null, sessionId: "s-b1" },
    ]);
    expect(records[0]).toStrictEqual({
      schema_version: ROLLOUT_BRANCH_SCHEMA_VERSION,
      rollout_id: "r-1",
      task: "What is 2+2?",
      branch_index: 0,
      temperature: 0,
      seed: 7,
      session_id: "s-b0",
      tool_call_sequence: [
        {
          event: "tool_call",
          channel: "tool",
          data: { toolName: "add", args: { a: 2, b: 2 }, callId: "call_0" },
        },
        { event: "tool_result", channel: "tool", data: { callId: "call_0", output: 4 } },
      ],
      final_answer: "four",
      build_result: { status: "pass" },
      objective_status: "pass",
    });
    expect(records[1]).toMatchObject({ branch_index: 1, temperature: 0.5, seed: null });
  });

  test("every record has the context, however the branch ends, and whatever the agent does to its copy", async () => {
    const context = {
      messages: [{ role: "system" as const, content: "You are terse." }],
      tools: [{ type: "function" as const, function: { name: "add", parameters: {} } }],
    };
    const controller = new AbortController();
    const records = await collect({
      context: structuredClone(context),
      branches: 4,
      concurrency: 1,
      signal: controller.signal,
      agent: ({ task, context: given, branchIndex }) => {
        expect(given).toEqual(context);
        given?.messages?.push({ role: "user", content: task });
        if (branchIndex === 0) return "four";
        if (branchIndex === 1) throw new Error("no model");
        queueMicrotask(() => controller.abort());
        return never;
      },
    });
    expect(records.map((record) => record.context)).toEqual(Array(4).fill(context));
    expect(records.map(({ branch_error: error }) => Object(error).kind)).toEqual([
      undefined,
      "threw",
      "aborted",
      "not-started",
    ]);
    for (const record of records) expect(findFaults(record, "RolloutBranch")).toEqual([]);
  });

  test("export makes its messages of context and turns", async () => {
    const turns = [
      { role: "assistant" as const, content: "Which base?" },
      { role: "user" as const, content: "Ten." },
      { role: "assistant" as const, content: "4", reasoning_content: "2+2 is 4." },
    ];
    const system = { role: "system" as const, content: "You are terse." };
    const record = await runOne(() => ({ finalAnswer: "4", turns, objectiveStatus: "pass" }), {
      context: { messages: [system] },
    });
    expect(record).toMatchObject({ turns });
    const user = { role: "user", content: "What is 2+2?" };
    expect(toMessages(record)).toEqual([system, user, ...turns]);
  });

  test("records come in the order in which branches end", async () => {
    const answers: (() => void)[] = [];
    const records = forkRollout({
      task: "t",
      branches: 3,
      agent: ({ branchIndex }) =>
        new Promise((resolve) => {
          answers[branchIndex] = () => resolve("done");
        }),
    });
    const order: number[] = [];
    const reading = (async () => {
      for await (const { branch_index } of records) order.push(branch_index);
    })();
    await turn();
    for (const index of [2, 0, 1]) {
      answers[index]?.();
      await turn();
    }
    await reading;
    expect(order).toEqual([2, 0, 1]);
  });

  test("an agent may be synchronous, and starts with the first requested record", async () => {
    let calls = 0;
    const records = forkRollout({
      task: "t",
      branches: 2,
      agent: () => {
        calls += 1;
        return "now";
      },
    });
    await turn();
    expect(calls).toBe(0);
    expect((await records.next()).value).toMatchObject({ final_answer: "now" });
    await records.return();
  });

  test("no more branches run than allowed, and a slow reader delays none", async () => {
    let running = 0;
    let most = 0;
    let started = 0;
    const records = forkRollout({
      task: "t",
      branches: 20,
      concurrency: 3,
      agent: async () => {
        running += 1;
        started += 1;
        most = Math.max(most, running);
        await turn();
        running -= 1;
        return "done";
      },
    });
    const indices = [(await records.next()).value?.branch_index];
    while (started < 20 || running > 0) await turn();
    for await (const { branch_index } of records) indices.push(branch_index);
    expect(most).toBe(3);
    expect(new Set(indices).size).toBe(20);
  });

  test("later mutation by the agent does not change a record", async () => {
    const args = { path: "a" };
    const buildResult = { ok: true };
    const record = await runOne(({ recorder }) => {
      recorder.toolCall({ toolName: "read", args });
      args.path = "b";
      queueMicrotask(() => recorder.toolCall({ toolName: "late" }));
      setImmediate(() => {
        buildResult.ok = false;
      });
      return { finalAnswer: "a", buildResult };
    });
    await turn();
    expect(record.build_result).toEqual({ ok: true });
    expect(record.tool_call_sequence[0]?.data).toMatchObject({ args: { path: "a" } });
  });

  test("events recorded after the end are in no record", async () => {
    const record = await runOne(({ recorder }) => {
      setImmediate(() => recorder.toolCall({ toolName: "late" }));
      return "early";
    });
    await turn();
    await turn();
    expect(record.tool_call_sequence).toEqual([]);
  });
});

describe("branches that crash", () => {
  const crash = Object.assign(new TypeError("boom"), { code: "E_BOOM" });

  test.each<[string, unknown, object]>([
    ["an error", crash, { name: "TypeError", message: "boom", code: "E_BOOM" }],
    ["undefined", undefined, { message: "undefined" }],
    ["a frozen error", Object.freeze(new Error("ice")), { name: "Error", message: "ice" }],
    [
      "an error whose message throws",
      Object.defineProperty(new Error(), "message", {
        get: () => {
          throw crash;
        },
      }),
      { name: "Error", message: "[unreadable]" },
    ],
  ])("%s, at once or later: a record with the events so far", async (_, thrown, error) => {
    const crashed = {
      final_answer: "",
      tool_call_sequence: [{ event: "tool_call" }],
      branch_error: { kind: "threw", ...error },
    };
    const atOnce = await runOne(({ recorder }) => {
      recorder.toolCall({ toolName: "a" });
      throw thrown;
    });
    const later = await runOne(async ({ recorder }) => {
      await turn();
      recorder.toolCall({ toolName: "a" });
      throw thrown;
    });
    expect([atOnce, later]).toMatchObject([crashed, crashed]);
    expect(atOnce).not.toHaveProperty("objective_status");
  });

  test("a crashed branch counts as failed", async () => {
    const records = await collect({
      branches: 2,
      agent: ({ branchIndex }) => {
        if (branchIndex === 0) throw crash;
        return { finalAnswer: "four", buildResult: { ok: true } };
      },
    });
    expect(rankScored(records).map((each) => [each.branch_index, each.objective_score])).toEqual([
      [1, 1],
      [0, 0],
    ]);
  });

  test("an invalid answer is reported", async () => {
    expect(await runOne(() => JSON.parse("42"))).toMatchObject({
      final_answer: "",
      branch_error: {
        kind: "invalid-answer",
        message: "the answer must be text or an object with finalAnswer, is 42",
      },
    });
  });
});

test("the record can be written however much an agent records", async () => {
  const control = "\u0001".repeat(2 ** 24);
  const agent: ForkAgent = ({ recorder }) => {
    for (let count = 0; count < 5; count += 1) recorder.toolCall({ toolName: "a", args: control });
    return { finalAnswer: control.repeat(3), buildResult: { ok: true, log: control } };
  };
  const [record] = await collect({ agent, branches: 1 });
  if (record === undefined) throw new Error("no record");
  expect(JSON.stringify(record).length).toBeGreaterThan(6 * 2 ** 25);
  expect(record.tool_call_sequence).toHaveLength(2);
  expect(record.tool_events_omitted).toBe(3);
  expect(record.final_answer).toMatch(/\[cut\]$/);
  expect(record.build_result).toEqual({ ok: true, log: expect.stringMatching(/\[cut\]$/) });
  expect(record).not.toHaveProperty("branch_error");
});

test("only the first of many faults are listed", async () => {
  const answer: unknown = { finalAnswer: "a", steps: Array(1_000).fill("b") };
  const record = await runOne(() => JSON.parse(JSON.stringify(answer)));
  expect(record.steps).toHaveLength(1_000);
  expect(record.branch_error).toMatchObject({
    message: expect.stringMatching(/^steps\[0\] must [^;]+(?:; steps[^;]+){9}; 990 more$/),
  });
});

describe("branches that hang", () => {
  test("at the timeout, the record has the events so far, and the agent's signal aborts", async () => {
    let reason: unknown;
    const record = await runOne(
      ({ recorder, signal }) => {
        recorder.toolCall({ toolName: "wait" });
        signal.addEventListener("abort", () => {
          reason = signal.reason;
          recorder.toolCall({ toolName: "late" });
        });
        return never;
      },
      { timeoutMs: 5 },
    );
    expect(record).toMatchObject({
      final_answer: "",
      branch_error: { kind: "timeout", message: "no answer within 5 ms" },
    });
    expect(record.tool_call_sequence).toHaveLength(1);
    expect(reason).toMatchObject({ name: "TimeoutError" });
  });

  test("the timeout of each branch counts from its own start", async () => {
    const records = await collect({
      agent: () => never,
      branches: 5,
      concurrency: 2,
      timeoutMs: 5,
    });
    expect(records.map(({ branch_index }) => branch_index)).toEqual([0, 1, 2, 3, 4]);
  });

  test("a rejection after the end is ignored", async () => {
    const unhandled: unknown[] = [];
    const listener = (reason: unknown): void => {
      unhandled.push(reason);
    };
    process.on("unhandledRejection", listener);
    try {
      await runOne(
        ({ signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener("abort", () => setImmediate(() => reject(new Error("late"))));
          }),
        { timeoutMs: 5 },
      );
      await turn();
      await turn();
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", listener);
    }
  });
});

describe("an aborted run", () => {
  test("running branches keep their events, waiting ones have none", async () => {
    const controller = new AbortController();
    const aborted: unknown[] = [];
    const records = await collect({
      signal: controller.signal,
      branches: 5,
      concurrency: 2,
      agent: async ({ branchIndex, recorder, signal }) => {
        if (branchIndex === 0) return "done";
        recorder.toolCall({ toolName: "a" });
        signal.addEventListener("abort", () => aborted.push(signal.reason));
        if (branchIndex === 2) controller.abort(new Error("enough"));
        return never;
      },
    });
    const unknown = { final_answer: "", objective_status: "unknown" };
    expect(records).toMatchObject([
      { final_answer: "done" },
      { ...unknown, branch_error: { kind: "aborted", message: "enough" } },
      { ...unknown, branch_error: { kind: "aborted", message: "enough" } },
      { ...unknown, branch_error: { kind: "not-started", message: "enough" } },
      { ...unknown, branch_error: { kind: "not-started", message: "enough" } },
    ]);
    expect(records.map((record) => record.tool_call_sequence.length)).toEqual([0, 1, 1, 0, 0]);
    expect(aborted).toEqual([controller.signal.reason, controller.signal.reason]);
    for (const record of records) expect(findFaults(record)).toEqual([]);
  });

  test("aborted branches are in no pair", async () => {
    const answered = await collect({
      agent: () => ({ finalAnswer: "four", objectiveStatus: "pass" }),
      branches: 1,
    });
    const stopped = await collect({ agent: () => "a", branches: 1, signal: AbortSignal.abort() });
    const branches = [...answered, ...stopped].map((record, branch_index) => ({
      ...record,
      branch_index,
      rollout_id: "r",
    }));
    const { dpo, notPaired } = exportRollouts(rankScored(branches), { target: "wire" });
    expect([dpo, [...notPaired]]).toEqual([[], [["unknown-objective", 1]]]);
  });

  test("before it began", async () => {
    let calls = 0;
    const agent = (): string => {
      calls += 1;
      return "a";
    };
    const records = await collect({ agent, branches: 3, signal: AbortSignal.abort() });
    expect(records.map(({ branch_error }) => branch_error)).toEqual(
      Array(3).fill({ kind: "not-started", message: "This operation was aborted" }),
    );
    expect(calls).toBe(0);
  });

  test("an abort after an answer changes nothing", async () => {
    const controller = new AbortController();
    const records = forkRollout({
      task: "t",
      branches: 2,
      agent: () => "done",
      signal: controller.signal,
    });
    await records.next();
    await turn();
    controller.abort();
    expect((await records.next()).value).toMatchObject({ final_answer: "done" });
  });

  test("no listener remains on the signal", async () => {
    const { signal } = new AbortController();
    const listeners = () => getEventListeners(signal, "abort").length;
    await collect({ agent: () => "a", signal });
    expect(listeners()).toBe(0);

    const unread = forkRollout({ task: "t", agent: () => "a", signal });
    await unread.next();
    await turn();
    expect(listeners()).toBe(0);

    const stopped = forkRollout({ task: "t", agent: () => never, signal, timeoutMs: 1e9 });
    const pending = stopped.next();
    await turn();
    expect(listeners()).toBe(1);
    await stopped.return();
    await pending;
    expect(listeners()).toBe(0);
  });
});

describe("a reader that stops", () => {
  const timers = (): number =>
    process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

  test("aborts running branches, starts no more, and does not wait", async () => {
    const before = timers();
    const reasons: unknown[] = [];
    let started = 0;
    const agent: ForkAgent = ({ branchIndex, signal }) => {
      started += 1;
      signal.addEventListener("abort", () => reasons.push(signal.reason));
      return branchIndex === 0 ? "first" : never;
    };
    const options = { task: "t", agent, branches: 9, concurrency: 3, timeoutMs: 1e9 };
    for await (const record of forkRollout(options)) {
      expect(record.final_answer).toBe("first");
      break;
    }
    await turn();
    expect(started).toBeLessThanOrEqual(4);
    expect(reasons).toHaveLength(started - 1);
    expect(reasons[0]).toMatchObject({ name: "AbortError" });
    expect(timers()).toBeLessThanOrEqual(before);
  });

  test.each(["return", "throw"] as const)("%s() while a record is awaited", async (method) => {
    const records = forkRollout({ task: "t", agent: () => never });
    const pending = records.next();
    await turn();
    const failure = new Error("of the reader");
    const ending = method === "return" ? records.return() : records.throw(failure);
    expect(await pending).toEqual({ done: true, value: undefined });
    if (method === "return") expect(await ending).toEqual({ done: true, value: undefined });
    else await expect(ending).rejects.toBe(failure);
    expect(await records.next()).toEqual({ done: true, value: undefined });
  });

  test("before it began", async () => {
    let calls = 0;
    const records = forkRollout({
      task: "t",
      agent: () => {
        calls += 1;
        return "a";
      },
    });
    await records.return();
    expect(await records.next()).toEqual({ done: true, value: undefined });
    await turn();
    expect(calls).toBe(0);
  });

  test("destroying a stream of the records ends the run", async () => {
    let signal: AbortSignal | undefined;
    const stream = Readable.from(
      forkRollout({
        task: "t",
        agent: (context) => {
          signal = context.signal;
          return never;
        },
      }),
    );
    stream.resume();
    await turn();
    await turn();
    stream.destroy();
    await turn();
    expect(signal?.aborted).toBe(true);
  });
});

/** The steps of an agent, in order; then it ends. */
type Act = (context: BranchContext, mutable: { list: unknown[] }) => unknown;

const act: fc.Arbitrary<Act> = fc.oneof(
  oddObject("toolName", "args", "callId", "batchId", "text").map(
    (make) =>
      ({ recorder }: BranchContext) =>
        Reflect.apply(recorder.toolCall, undefined, [make()]),
  ),
  oddObject("callId", "toolName", "output", "error").map(
    (make) =>
      ({ recorder }: BranchContext) =>
        Reflect.apply(recorder.toolResult, undefined, [make()]),
  ),
  fc.constant<Act>(({ recorder }, { list }) => {
    recorder.toolCall({ toolName: "keep", args: list });
    list.push(list, list.length);
  }),
  fc.constant<Act>(turn),
);

const ending: fc.Arbitrary<Act> = fc.oneof(
  oddObject("finalAnswer", "buildResult", "objectiveStatus", "steps").map((make) => make),
  oddValue.map((make) => () => {
    throw make();
  }),
  oddValue.map((make) => () => Promise.reject(make())),
  fc.constant<Act>(() => never),
  fc.constant<Act>(
    ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  ),
  fc.constant<Act>(({ recorder }) => {
    const later = (): void => {
      recorder.toolCall({ toolName: "late" });
    };
    setImmediate(() => setImmediate(later));
    return "early";
  }),
  fc.string({ unit: "binary" }).map((text) => () => text),
);

const script = fc.record({ isAsync: fc.boolean(), acts: fc.array(act, { maxLength: 4 }), ending });

const run = fc.record({
  scripts: fc.array(script, { minLength: 1, maxLength: 6 }),
  concurrency: fc.integer({ min: 1, max: 7 }),
  task: fc.string({ unit: "binary", minLength: 1 }),
  /** The number of records after which the caller aborts. */
  abortAfter: fc.option(fc.nat({ max: 6 }), { nil: undefined }),
  abortReason: oddValue,
  isSlow: fc.boolean(),
});

test("every branch yields exactly one valid record, whatever the agent does", async () => {
  await fc.assert(
    fc.asyncProperty(run, async ({ scripts, abortAfter, abortReason, isSlow, ...options }) => {
      const controller = new AbortController();
      const agent = (context: BranchContext): unknown => {
        const script = scripts[context.branchIndex];
        if (script === undefined) throw new RangeError("a branch that nobody asked for");
        const { isAsync, acts, ending } = script;
        const mutable = { list: [] };
        if (!isAsync) {
          for (const each of acts) each(context, mutable);
          return ending(context, mutable);
        }
        return (async () => {
          for (const each of acts) await each(context, mutable);
          return await ending(context, mutable);
        })();
      };
      const records: CapturedBranch[] = [];
      const reader: AsyncIterable<CapturedBranch> = Reflect.apply(forkRollout, undefined, [
        { ...options, agent, branches: scripts.length, signal: controller.signal, timeoutMs: 20 },
      ]);
      if (abortAfter === 0) controller.abort(abortReason());
      for await (const record of reader) {
        records.push(record);
        if (records.length === abortAfter) controller.abort(abortReason());
        if (isSlow) await turn();
      }
      const indices = records.map(({ branch_index }) => branch_index).toSorted((a, b) => a - b);
      expect(indices).toEqual(scripts.map((_, index) => index));
      expect(records.flatMap((record) => findErrors(record))).toEqual([]);
      expect(checkRollout(records, "RolloutBranch")).toEqual([]);
      expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    }),
    { numRuns: runCount(200) },
  );
});

/** Except unanswered results: the agent recorded them, and they are a warning. */
function findErrors(record: RolloutBranch) {
  return findFaults(record, "RolloutBranch").filter(({ id }) => id !== "unpaired-tool-result");
}
