import { AsyncResource } from "node:async_hooks";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { eventually } from "../../base/testing/eventually.js";
import { findFaults } from "../../base/testing/find-faults.js";
import { oddValue } from "../../base/testing/odd-value.js";
import { runCount } from "../../base/testing/run-count.js";
import { lengthHeuristic, type RolloutPluginOptions } from "./options.js";
import { createRolloutIds, createRolloutPlugin, type RolloutPlugin } from "./plugin.js";
import { createMemorySink } from "./testing/create-memory-sink.js";
import { createRuntime, messageOf, type SmallRuntime } from "./testing/create-runtime.js";

describe("createRolloutPlugin", () => {
  interface Scene {
    readonly plugin: RolloutPlugin;
    readonly runtime: SmallRuntime;
    readonly read: () => Promise<Record<string, unknown>[]>;
  }

  async function createScene(options: RolloutPluginOptions = {}): Promise<Scene> {
    const sink = createMemorySink();
    const plugin = createRolloutPlugin({ sink, spoolDir: null, ...options });
    const runtime = createRuntime();
    await plugin.init({}, runtime);
    return {
      plugin,
      runtime,
      async read() {
        await plugin.flush();
        return sink.records;
      },
    };
  }

  /** The outcome of a call, by identity. */
  type Ending = { readonly returned: unknown } | { readonly thrown: unknown };

  function endingOf(call: () => unknown): Ending {
    try {
      return { returned: call() };
    } catch (thrown) {
      return { thrown };
    }
  }

  function isSame(one: Ending, other: Ending): boolean {
    if ("returned" in one && "returned" in other) return Object.is(one.returned, other.returned);
    return "thrown" in one && "thrown" in other && Object.is(one.thrown, other.thrown);
  }

  test("arguments, callbacks, results and errors of an action are passed through, and records are valid", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          args: fc.array(oddValue, { maxLength: 7 }),
          task: fc.oneof(fc.string({ unit: "binary" }), oddValue),
          said: fc.array(oddValue, { maxLength: 2 }),
          ending: oddValue,
          throws: fc.boolean(),
          branches: fc.constantFrom(1, 2),
          format: fc.constantFrom("PpoRecord" as const, "RolloutBranch" as const),
        }),
        async ({ args, task, said, ending, throws, branches, format }) => {
          const rewarded = { format: "ppo", scorer: lengthHeuristic } as const;
          const { runtime, read } = await createScene({
            branches,
            redact: false,
            ...(format === "PpoRecord" && rewarded),
          });
          const handler = (...given: unknown[]): unknown => {
            const callback = given[4];
            for (const each of said)
              if (typeof callback === "function") callback({ text: each }, each);
            if (throws) throw ending;
            return ending;
          };
          runtime.registerAction({ name: "ODD", handler });
          const given = [runtime, messageOf(task), ...args];
          const ran = endingOf(() => runtime.actions[0]?.handler(...given));
          if (branches === 1) {
            const expected = throws ? { thrown: ending } : { returned: ending };
            // Awaiting a promise creates a different one.
            const isPromise = !throws && "returned" in ran && ran.returned instanceof Promise;
            expect(isPromise || isSame(ran, expected)).toBe(true);
          }
          if ("returned" in ran) await Promise.resolve(ran.returned).catch(() => {});
          const records = await read();
          const isTask = typeof task === "string" && task !== "";
          expect(records).toHaveLength(isTask ? branches : 0);
          for (const record of records) expect(findFaults(record, format)).toEqual([]);
        },
      ),
      { numRuns: runCount(300) },
    );
  });

  const says = (text: string, more: object = {}) => ({
    name: "SAY",
    handler: async (...args: unknown[]): Promise<object> => {
      if (typeof args[4] === "function") await args[4]({ text });
      return { success: true, text, ...more };
    },
  });

  test("an action registered before the plugin is recorded", async () => {
    const runtime = createRuntime();
    const sink = createMemorySink();
    runtime.actions.push(says("four"));
    const plugin = createRolloutPlugin({ sink, spoolDir: null });
    void plugin.init({}, runtime);
    // Nothing was awaited: other plugins register at the same time.
    runtime.registerAction(says("five"));
    for (const { handler } of runtime.actions) await handler(runtime, messageOf("2+2?"));
    await plugin.flush();
    expect(sink.records).toHaveLength(2);
  });

  test("init without a runtime warns, and does not throw", async () => {
    const warned: string[] = [];
    const listen = ({ message }: Error): void => void warned.push(message);
    process.on("warning", listen);
    for (const args of [[], [null, null], [{}, {}], ["", 7]]) {
      const { init } = createRolloutPlugin();
      await Reflect.apply(init, undefined, args);
    }
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", listen);
    expect(warned[0]).toMatch(/without a runtime/);
  });

  test.each([
    ["a frozen one", (runtime: SmallRuntime) => Object.freeze(runtime)],
    ["one without a logger", (runtime: SmallRuntime) => ({ ...runtime, logger: undefined })],
    ["one without a message service", ({ messageService: _, ...rest }: SmallRuntime) => rest],
    ["one that cannot stop", ({ stop: _, ...rest }: SmallRuntime) => rest],
    ["one with only actions", ({ actions }: SmallRuntime) => ({ actions })],
    [
      "one with odd actions",
      (runtime: SmallRuntime) => {
        const thrower = (): never => {
          throw new Error("nobody may read this");
        };
        const odd: unknown[] = [
          null,
          7,
          {},
          { name: "A" },
          { handler: thrower },
          new Proxy({}, { get: thrower }),
          new Proxy(
            { name: "ODD", handler: thrower },
            { ownKeys: thrower, getPrototypeOf: thrower },
          ),
        ];
        Reflect.apply(Array.prototype.push, runtime.actions, odd);
        return runtime;
      },
    ],
    [
      "one whose logger throws",
      (runtime: SmallRuntime) => ({
        ...runtime,
        logger: {
          warn: () => {
            throw new Error("no log");
          },
        },
      }),
    ],
  ])("an unusual runtime is recorded as far as possible: %s", async (_, toOdd) => {
    const sink = createMemorySink();
    const plugin = createRolloutPlugin({ sink, spoolDir: null, branches: 2 });
    const runtime = createRuntime();
    runtime.actions.push(says("four"));
    await plugin.init({}, toOdd(runtime));
    await runtime.actions[0]?.handler(runtime, messageOf("2+2?"));
    await plugin.flush();
    expect(sink.records).toHaveLength(2);
  });

  test("a branch that hangs counts as failed once another one has ended", async () => {
    const { runtime, read } = await createScene({ branches: 3, branchTimeoutMs: 0 });
    let calls = 0;
    const handler = (): unknown => {
      calls += 1;
      return calls === 2 ? new Promise(() => {}) : { success: true, text: "four" };
    };
    runtime.registerAction({ name: "CALC", handler });
    const result = await runtime.actions[0]?.handler(runtime, messageOf("2+2?"));
    expect(result).toEqual({ success: true, text: "four" });
    const records = await read();
    expect(records.map(({ objective_status }) => objective_status).sort()).toEqual([
      "fail",
      "pass",
      "pass",
    ]);
    expect(JSON.stringify(records)).toContain("no result within 0 ms after another branch");
  });

  test("every message names the package once", async () => {
    const sink = createMemorySink();
    const write = async (): Promise<void> => {
      throw new Error("it is down");
    };
    const plugin = createRolloutPlugin({
      ...{ sink: { ...sink, write }, spoolDir: null, flushTimeoutMs: 0 },
      scorer: () => 2,
    });
    const runtime = createRuntime();
    runtime.actions.push(says("four"));
    await plugin.init({}, runtime);
    await runtime.actions[0]?.handler(runtime, messageOf("2+2?"));
    await plugin.close();
    expect(runtime.logged.length).toBeGreaterThan(1);
    for (const message of runtime.logged) {
      expect(message.match(/rollout-wire: /g), message).toHaveLength(1);
    }
  });

  test("an action does not wait for the sink", async () => {
    let answer = (): void => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const sink = { write: vi.fn(() => answered), async close() {} };
    const { plugin, runtime } = await createScene({ sink, flushTimeoutMs: 100_000 });
    runtime.registerAction(says("four"));
    for (const task of ["1+1?", "2+2?", "3+3?"]) {
      await runtime.actions[0]?.handler(runtime, messageOf(task));
      await eventually(() => sink.write.mock.calls.length).toBe(1);
    }
    await eventually(() => plugin.stats().captured).toBe(3);
    expect(plugin.stats()).toMatchObject({ delivery: { delivered: 0 } });
    answer();
    await plugin.flush();
    expect(plugin.stats()).toMatchObject({ delivery: { delivered: 3 } });
    await plugin.close();
  });

  test("a runtime that cannot be instrumented gets one warning for each part", async () => {
    const { runtime, logged } = { runtime: createRuntime(), logged: [] as string[] };
    const logger = { warn: (message: string) => void logged.push(message) };
    const plugin = createRolloutPlugin({ spoolDir: null, sink: createMemorySink() });
    await plugin.init(
      {},
      Object.freeze({ ...runtime, logger, actions: Object.freeze([says("a")]) }),
    );
    expect(logged).toEqual([
      expect.stringMatching(/registerAction .* cannot be watched/),
      expect.stringMatching(/processActions .* cannot be watched/),
      expect.stringMatching(/messageService .* cannot be watched/),
      expect.stringMatching(/stop .* cannot be watched/),
      expect.stringMatching(/actions .* cannot be watched: /),
    ]);
  });

  test("by default, Layer 1 records, as rank reads them", async () => {
    const { runtime, read } = await createScene({ scorer: lengthHeuristic, branches: 2 });
    runtime.registerAction(says("four"));
    await runtime.processActions(messageOf("2+2?"));
    const records = await read();
    for (const record of records) expect(findFaults(record, "RolloutBranch")).toEqual([]);
    expect(records).toMatchObject([
      {
        task: "2+2?",
        branch_index: 0,
        session_id: "room",
        objective_status: "pass",
        judge_score: 8,
      },
      { task: "2+2?", branch_index: 1, final_answer: "four" },
    ]);
  });

  test("without a scorer there is no reward, and no verdict that nobody gave; one warning names the fix", async () => {
    const { plugin, runtime, read } = await createScene();
    const results = [{ success: true }, { success: false }, undefined, { text: "done" }];
    runtime.registerAction({ name: "DO", handler: async () => results.shift() });
    for (const task of ["a", "b", "c", "d"]) await runtime.processActions(messageOf(task));
    const records = await read();
    for (const record of records) expect(findFaults(record, "RolloutBranch")).toEqual([]);
    expect(records.map(({ objective_status }) => objective_status)).toEqual([
      "pass",
      "fail",
      undefined,
      undefined,
    ]);
    expect(records.some((record) => "reward" in record || "judge_score" in record)).toBe(false);
    expect(runtime.logged).toEqual([
      expect.stringMatching(/without a verdict .* rank refuses .* option scorer, .*--skip invalid/),
    ]);
    expect(plugin.stats()).toMatchObject({ captured: 4, unscored: 4 });
  });

  test("a scorer that fails: no rewards, no lost records, and pairs only of success and failure", async () => {
    const { plugin, runtime, read } = await createScene({
      scorer: () => Number.NaN,
      format: "both",
      branches: 2,
    });
    let run = 0;
    runtime.registerAction({
      name: "SAY",
      handler: async (...args) => {
        run += 1;
        if (run % 2 === 0) throw new Error("down");
        return says(`answer ${run}`).handler(...args);
      },
    });
    await runtime.processActions(messageOf("2+2?"));
    const records = await read();
    expect(records.map((record) => findFaults(record))).toEqual([[], [], []]);
    expect(records[0]).toMatchObject({ chosen: "answer 1", rejected: "" });
    expect(records.slice(1)).toMatchObject([{ branch_index: 0 }, { branch_index: 1 }]);
    expect(records.some((record) => "reward" in record || "judge_score" in record)).toBe(false);
    expect(plugin.stats()).toMatchObject({ captured: 2, unscored: 2 });
  });

  test("redact runs before the sink", async () => {
    const { runtime, read } = await createScene({
      redact: <T extends object>(record: T): T =>
        JSON.parse(JSON.stringify(record).replaceAll("Ada", "[name]")),
    });
    runtime.registerAction(says("Hello Ada."));
    await runtime.processActions(messageOf("I am Ada."));
    const records = await read();
    expect(records.map((record) => findFaults(record))).toEqual([[]]);
    expect(records).toMatchObject([{ task: "I am [name].", final_answer: "Hello [name]." }]);
  });

  test("answers that are equal after redaction make no pair", async () => {
    const { plugin, runtime, read } = await createScene({
      format: "dpo",
      scorer: lengthHeuristic,
      branches: 2,
      redact: <T extends object>(record: T): T =>
        JSON.parse(JSON.stringify(record).replaceAll(/secret\d+/g, "[secret]")),
    });
    let run = 0;
    runtime.registerAction({
      name: "SAY",
      handler: (...args) => says(`secret${10 ** (run++ + 1)}`).handler(...args),
    });
    await runtime.processActions(messageOf("2+2?"));
    expect(await read()).toEqual([]);
    expect(plugin.stats().skipped).toEqual({ "identical-answers": 1 });
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("no redaction");
      },
      "redaction-failed",
    ],
    ["gives nothing", () => undefined, "invalid-record"],
    ["gives a promise", async (record: object) => record, "redaction-failed"],
    ["takes too much", ({ task: _, ...rest }: { task?: string }) => rest, "invalid-record"],
  ])(
    "if redact %s, no record is written, with one message and a count",
    async (_, redact, reason) => {
      // Values that JavaScript allows.
      const options: object = { redact };
      const { plugin, runtime, read } = await createScene(options);
      runtime.registerAction(says("four"));
      await runtime.processActions(messageOf("2+2?"));
      await runtime.processActions(messageOf("2+2?"));
      expect(await read()).toEqual([]);
      expect(plugin.stats().skipped).toEqual({ [reason]: 2 });
      expect(runtime.logged.filter((line) => line.includes("redact"))).toHaveLength(1);
    },
  );

  test("one turn of the event loop handles only a limited part of a long record", async () => {
    const { runtime, read } = await createScene();
    const rows = JSON.stringify(
      Array.from({ length: 10_000 }, (_, id) => ({ id, name: `row ${id}` })),
    );
    const data = { rows, prose: "It was a dark and stormy night. ".repeat(10_000) };
    runtime.registerAction({ name: "LOOK", handler: async () => ({ text: "long", data }) });
    runtime.registerAction(says("short"));
    await runtime.processActions(messageOf("2+2?"));
    let [turns, isRead] = [0, false];
    const count = (): void => {
      turns += 1;
      if (!isRead) setImmediate(count);
    };
    count();
    const records = await read();
    isRead = true;
    expect(turns).toBeGreaterThan((rows.length + data.prose.length) / 16_384);
    expect(records.map(({ final_answer }) => final_answer)).toEqual(["long", "short"]);
    expect(records[0]).toMatchObject({ tool_call_sequence: [{}, { data: { output: { data } } }] });
  });

  test("rollouts that start at the same time have different ids, and records keep their order", async () => {
    const { runtime, read } = await createScene();
    runtime.registerAction(says("four"));
    const [action] = runtime.actions;
    const tasks = Array.from({ length: 500 }, (_, index) => `task ${index}`);
    await Promise.all(
      tasks.map((task) => action?.handler(runtime, messageOf(task), {}, {}, async () => [])),
    );
    const records = await read();
    expect(records.map(({ task }) => task)).toEqual(tasks);
    expect(new Set(records.map(({ rollout_id }) => rollout_id)).size).toBe(500);
  });

  test("what an action says after its end reaches the user but no record", async () => {
    for (const branches of [1, 2]) {
      const { runtime, read } = await createScene({ branches });
      const said: unknown[] = [];
      const late: (() => unknown)[] = [];
      runtime.registerAction({
        name: "LATE",
        handler: async (...args) => {
          const callback = args[4];
          if (typeof callback === "function") late.push(() => callback({ text: "late" }));
          return { text: "in time" };
        },
      });
      await runtime.processActions(
        messageOf("2+2?"),
        [],
        {},
        async (content: unknown) => void said.push(content),
      );
      for (const say of late) await say();
      expect(said).toEqual([{ text: "late" }]);
      expect((await read()).map(({ final_answer }) => final_answer)).toEqual(
        Array(branches).fill("in time"),
      );
    }
  });

  test("a callback that throws does so inside the action, as without the plugin", async () => {
    const error = new Error("the user has gone");
    const callback = async (): Promise<never> => {
      throw error;
    };
    for (const branches of [1, 2]) {
      const { runtime, read } = await createScene({ branches });
      runtime.registerAction(says("four"));
      await expect(runtime.processActions(messageOf("2+2?"), [], {}, callback)).rejects.toBe(error);
      expect(await read()).toHaveLength(branches);
    }
  });

  test.each([
    ["of the runtime's line", { mode: "simple", didRespond: true }, 1],
    ["that does not tell its mode", {}, 1],
    ["that did not respond", { mode: "simple", didRespond: false }, 0],
    ["that left it to actions", { mode: "actions" }, 0],
  ])("a message service %s", async (_, result, count) => {
    for (const freeze of [false, true]) {
      for (const isSync of [false, true]) {
        const { plugin, runtime, read } = await createScene();
        const answer = { responseContent: { text: "Hello." }, ...result };
        const service = { handleMessage: () => (isSync ? answer : Promise.resolve(answer)) };
        runtime.messageService = freeze ? Object.freeze(service) : service;
        const { messageService } = runtime;
        const handle: unknown = Reflect.get(Object(messageService), "handleMessage");
        if (typeof handle !== "function") throw new TypeError("no handleMessage");
        const returned: unknown = Reflect.apply(handle, messageService, [runtime, messageOf("Hi")]);
        expect(await returned).toBe(answer);
        expect(returned instanceof Promise).toBe(!isSync);
        expect(await read()).toHaveLength(count);
        expect(plugin.stats().skipped).toEqual(count === 0 ? { "no-reply": 1 } : {});
      }
    }
  });

  test("a message service behind accessors of a class is instrumented too", async () => {
    const service = { handleMessage: async () => ({ responseContent: { text: "Hello." } }) };
    class Runtime {
      #service: unknown = null;
      readonly actions = [];
      get messageService(): unknown {
        return this.#service;
      }
      set messageService(given) {
        this.#service = given;
      }
    }
    const runtime = new Runtime();
    const sink = createMemorySink();
    const plugin = createRolloutPlugin({ sink, spoolDir: null });
    await plugin.init({}, runtime);
    runtime.messageService = service;
    await Reflect.get(Object(runtime.messageService), "handleMessage").call(
      service,
      runtime,
      messageOf("Hi"),
    );
    await plugin.flush();
    expect(sink.records).toHaveLength(1);
  });

  test("a runtime that fails to stop still flushes its records, and throws its error", async () => {
    const error = new Error("does not stop");
    const runtime = {
      ...createRuntime(),
      stop: async () => {
        throw error;
      },
    };
    const sink = createMemorySink();
    const plugin = createRolloutPlugin({ sink, spoolDir: null });
    await plugin.init({}, runtime);
    runtime.registerAction(says("four"));
    await runtime.processActions(messageOf("2+2?"));
    await expect(runtime.stop()).rejects.toBe(error);
    expect(sink.records).toHaveLength(1);
  });

  test("unreadable inputs do not keep an action from running", async () => {
    const thrower = (): never => {
      throw new Error("nobody may read this");
    };
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const odd = [
      proxy,
      new Proxy({}, { has: thrower, ownKeys: thrower }),
      new Proxy({ onStreamChunk() {} }, { ownKeys: thrower, getPrototypeOf: thrower }),
    ];
    for (const branches of [1, 2]) {
      const { runtime, read } = await createScene({ branches });
      runtime.registerAction(says("four"));
      for (const each of odd) {
        await runtime.processActions(messageOf("2+2?"), each, each, async () => [], each);
      }
      expect(await read()).toHaveLength(odd.length * branches);
    }
  });

  test("if branchable throws, the action runs once, with a message", async () => {
    const { runtime, read } = await createScene({
      branches: 3,
      branchable: () => {
        throw new Error("unknown");
      },
    });
    runtime.registerAction(says("four"));
    await runtime.processActions(messageOf("2+2?"));
    expect(await read()).toHaveLength(1);
    expect(runtime.logged.join()).toMatch(
      /branchable failed for SAY; the action runs once: unknown/,
    );
  });

  test("the rejection of an action that nobody awaits is still unhandled", async () => {
    const { runtime } = await createScene();
    const error = new Error("nobody waits");
    runtime.registerAction({ name: "FAIL", handler: () => Promise.reject(error) });
    const unhandled: unknown[] = [];
    const listeners = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection");
    process.on("unhandledRejection", (reason) => unhandled.push(reason));
    void runtime.actions[0]?.handler(runtime, messageOf("2+2?"));
    try {
      await eventually(() => unhandled).toEqual([error]);
    } finally {
      process.removeAllListeners("unhandledRejection");
      for (const listener of listeners) process.on("unhandledRejection", listener);
    }
  });

  test("calls that an action starts and does not await are recorded, even of the same action", async () => {
    for (const branches of [1, 2]) {
      const { runtime, read } = await createScene({ branches });
      const later: (() => unknown)[] = [];
      let runs = 0;
      const [, ...args] = [runtime, messageOf("2+2?"), {}, {}, undefined, []];
      runtime.registerAction({
        name: "POLL",
        handler: async () => {
          runs += 1;
          // In the scope of this run, as a timer that it starts would be.
          const again = AsyncResource.bind(() => runtime.actions[0]?.handler(runtime, ...args));
          if (runs <= branches) later.push(again);
          return { text: `run ${runs}` };
        },
      });
      await runtime.actions[0]?.handler(runtime, ...args);
      for (const again of later) await again();
      expect(await read()).toHaveLength(branches === 1 ? 2 : 6);
    }
  });

  test("a message that an agent sends itself in an action is recorded too", async () => {
    const { runtime, read } = await createScene({ branches: 2 });
    let depth = 0;
    runtime.messageService = {
      async handleMessage(...args: unknown[]) {
        return {
          mode: "simple",
          responseContent: { text: String(await runtime.processActions(args[1])) },
        };
      },
    };
    runtime.registerAction({
      name: "ASK_MYSELF",
      handler: async () => {
        depth += 1;
        if (depth > 2) return { text: "enough" };
        const { messageService } = runtime;
        const ask: unknown = Reflect.get(Object(messageService), "handleMessage");
        if (typeof ask === "function")
          await Reflect.apply(ask, messageService, [runtime, messageOf("again")]);
        return { text: "done" };
      },
    });
    await runtime.processActions(messageOf("2+2?"));
    const records = await read();
    // Two branches, each with one reply and the one action that it ran, which is not branched again.
    expect(records.filter(({ task }) => task === "2+2?")).toHaveLength(2);
    expect(records.filter(({ task }) => task === "again")).toHaveLength(4);
  });

  test("thousands of actions and a slow sink: all records arrive in order", async () => {
    const records: object[] = [];
    const sink = {
      async write(given: readonly object[]) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        records.push(...given);
      },
      async close() {},
    };
    const spoolDir = mkdtempSync(join(tmpdir(), "rollout-wire-eliza-"));
    const plugin = createRolloutPlugin({ sink, spoolDir, flushTimeoutMs: 100_000 });
    const runtime = createRuntime();
    await plugin.init({}, runtime);
    runtime.registerAction(says("four"));
    const actions = runCount(10_000, 1_000);
    const tasks = Array.from({ length: actions }, (_, index) => `task ${index}`);
    await Promise.all(
      tasks.map((task) =>
        runtime.actions[0]?.handler(runtime, messageOf(task), {}, {}, async () => []),
      ),
    );
    await plugin.flush();
    await plugin.close();
    rmSync(spoolDir, { recursive: true });
    expect(records.map((record) => Reflect.get(record, "task"))).toEqual(tasks);
    expect(plugin.stats()).toMatchObject({ captured: actions, delivery: { dropped: 0 } });
  });
});

describe("the context", () => {
  const SYSTEM = "You are terse.";
  const offer = { name: "ADD", description: "Adds." };

  /** A runtime that asks its model once for a message, as elizaOS does; `think` is the model. */
  async function createScene(think: (scene: Character) => unknown) {
    const sink = createMemorySink();
    const plugin = createRolloutPlugin({ sink, spoolDir: null });
    const character: Character = { system: SYSTEM, offered: [offer] };
    const stateOf = (): object => ({
      data: { providers: { ACTIONS: { data: { actionsData: character.offered } } } },
    });
    const stateCache = new Map<unknown, object>();
    const runtime = Object.assign(createRuntime(), {
      character,
      stateCache,
      useModel: async (...[, ask]: unknown[]): Promise<unknown> =>
        typeof ask === "function" ? ask(character) : think(character),
      evaluate: async (): Promise<void> => {
        character.system = "You judge answers.";
        await runtime.useModel("TEXT_SMALL", () => "fine");
      },
    });
    await plugin.init({}, runtime);
    runtime.messageService = {
      async handleMessage(...args: unknown[]) {
        const [, message] = args;
        stateCache.set(Reflect.get(Object(message), "id"), stateOf());
        const text = await runtime.useModel("TEXT_LARGE", undefined);
        if (text === undefined) await runtime.processActions(message, [], stateOf());
        await runtime.evaluate();
        return text === undefined ? { mode: "actions" } : { responseContent: { text } };
      },
    };
    const ask = async (): Promise<Record<string, unknown>[]> => {
      const { messageService } = runtime;
      const handle: unknown = Reflect.get(Object(messageService), "handleMessage");
      if (typeof handle !== "function") throw new TypeError("no handleMessage");
      const message = { ...messageOf("2+2?"), id: "m" };
      await Reflect.apply(handle, messageService, [runtime, message]).catch(() => {});
      await plugin.flush();
      return sink.records;
    };
    return { runtime, plugin, sink, ask };
  }

  interface Character {
    system: string;
    offered: unknown[];
  }

  const expected = {
    messages: [{ role: "system", content: SYSTEM }],
    tools: [
      {
        type: "function",
        function: { ...offer, parameters: { type: "object", properties: {} } },
      },
    ],
  };

  /** What the model does changes what the runtime would say of it afterwards. */
  const change = (character: Character): void => {
    character.system = "changed";
    character.offered.pop();
  };

  test.each<[string, (character: Character) => unknown]>([
    ["a reply", () => "four"],
    ["a model that throws", () => Promise.reject(new Error("no model"))],
  ])("of %s is a snapshot before the model was asked", async (_, answer) => {
    const { ask } = await createScene((character) => {
      change(character);
      return answer(character);
    });
    const records = await ask();
    expect(records).toMatchObject([{ context: expected }]);
    expect(findFaults(records[0] ?? {}, "RolloutBranch")).toEqual([]);
  });

  test.each<[string, () => unknown]>([
    ["ends", () => ({ success: true, text: "four" })],
    ["throws", () => Promise.reject(new Error("down"))],
  ])("of an action that %s is that of the decision for it", async (_, end) => {
    const { runtime, ask } = await createScene(change);
    runtime.registerAction({ name: "ADD", handler: async () => end() });
    const records = await ask();
    expect(records[0]).toMatchObject({ context: expected });
  });

  test("of an action that nobody asked a model about is that of its state, before it runs", async () => {
    const { runtime, plugin, sink } = await createScene(() => "four");
    const { character } = runtime;
    runtime.registerAction({
      name: "ADD",
      handler: async () => {
        change(character);
        throw new Error("down");
      },
    });
    const actionsData = [...character.offered];
    const state = { data: { providers: { ACTIONS: { data: { actionsData } } } } };
    await runtime.processActions(messageOf("2+2?"), [], state).catch(() => {});
    await plugin.flush();
    expect(sink.records).toMatchObject([{ context: expected, objective_status: "fail" }]);
  });

  test("a secret of the system prompt never reaches the sink", async () => {
    const { runtime, ask } = await createScene(() => "four");
    const secret = "correct-horse-battery";
    Object.assign(runtime.character, {
      system: `Say ${secret} and sk-proj-${"a1B2".repeat(12)} to nobody.`,
      settings: { secrets: { VAULT: secret } },
      offered: [{ ...offer, description: `Needs ${secret}.` }],
    });
    const records = await ask();
    expect(records).toHaveLength(1);
    expect(JSON.stringify(records)).toContain("to nobody");
    expect(JSON.stringify(records)).not.toMatch(/correct-horse|a1B2a1B2/);
  });
});

test("a rollout id is agent and time; in the same millisecond, or after the clock was set back, the next number", () => {
  let now = 1_700_000_000_000;
  const createId = createRolloutIds(() => now);
  expect(createId("agent-123")).toBe("agent-123-1700000000000");
  expect(createId("agent-123")).toBe("agent-123-1700000000001");
  expect(createId("other")).toBe("other-1700000000000");
  now -= 5000;
  expect(createId("agent-123")).toBe("agent-123-1700000000002");
});
