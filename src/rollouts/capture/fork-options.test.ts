import { expect, test } from "vitest";
import { EXIT, UserError } from "../../base/user-error.js";
import { forkRollout } from "./fork.js";
import { resolveForkOptions } from "./fork-options.js";

const required = { task: "What is 2+2?", agent: () => "four" };

function branchesOf(plan: ReturnType<typeof resolveForkOptions>) {
  return Array.from({ length: plan.branches }, (_, index) => plan.toBranch(index));
}

test("the defaults", () => {
  const plan = resolveForkOptions(required);
  expect(plan).toMatchObject({ branches: 4, concurrency: 4 });
  expect([plan.timeoutMs, plan.signal]).toEqual([undefined, undefined]);
  const [first] = branchesOf(plan);
  expect(first).toEqual({
    rolloutId: expect.stringMatching(/^rollout-[0-9a-f-]{36}$/),
    task: "What is 2+2?",
    branchIndex: 0,
    temperature: 1,
    seed: undefined,
    sessionId: `${first?.rolloutId}-b0`,
  });
  expect(resolveForkOptions(required).toBranch(0).rolloutId).not.toBe(first?.rolloutId);
});

test("one temperature or seed for all, or one for each, which sets the number of branches", () => {
  const each = resolveForkOptions({ ...required, temperatures: [0, 0.5, 1], seeds: [7] });
  expect(branchesOf(each).map(({ temperature, seed }) => [temperature, seed])).toEqual([
    [0, 7],
    [0.5, 7],
    [1, 7],
  ]);
  const seeded = resolveForkOptions({ ...required, seeds: [1, null], temperatures: [0.3] });
  expect(branchesOf(seeded).map(({ temperature, seed }) => [temperature, seed])).toEqual([
    [0.3, 1],
    [0.3, null],
  ]);
});

test("later changes of the caller's lists have no effect", () => {
  const temperatures = [0.1, 0.2];
  const plan = resolveForkOptions({ ...required, temperatures });
  temperatures.fill(-1);
  expect(branchesOf(plan).map(({ temperature }) => temperature)).toEqual([0.1, 0.2]);
});

test("rolloutId and sessionIdPrefix", () => {
  const named = { ...required, rolloutId: "r", branches: 2 };
  expect(branchesOf(resolveForkOptions(named)).map(({ sessionId }) => sessionId)).toEqual([
    "r-b0",
    "r-b1",
  ]);
  const session = { ...named, sessionIdPrefix: "s" };
  expect(resolveForkOptions(session).toBranch(1)).toMatchObject({
    rolloutId: "r",
    sessionId: "s-b1",
  });
});

test("the context is a snapshot, and each branch has its own", () => {
  const system = { role: "system" as const, content: "You are terse. \ud800" };
  const context = { messages: [system], tools: [] };
  const plan = resolveForkOptions({ ...required, branches: 2, context });
  context.messages.pop();
  system.content = "changed";
  const [one, other] = branchesOf(plan);
  one?.context?.messages?.pop();
  const expected = { messages: [{ role: "system", content: "You are terse. \ufffd" }], tools: [] };
  expect(other?.context).toEqual(expected);
});

test("lone surrogates in the task become U+FFFD", () => {
  expect(resolveForkOptions({ ...required, task: "a\ud800" }).toBranch(0).task).toBe("a\ufffd");
});

test("an infinite timeout is none", () => {
  const plan = resolveForkOptions({ ...required, timeoutMs: Number.POSITIVE_INFINITY });
  expect(plan.timeoutMs).toBeUndefined();
});

test.each<[object, string]>([
  [{ task: "" }, 'task must be text that is not empty, is ""'],
  [{ task: undefined }, "task must be text that is not empty, is undefined"],
  [{ context: null }, "context must be an object with messages and tools, is null"],
  [
    { context: { messages: "You are terse." } },
    'context.messages must be a list, is "You are terse."',
  ],
  [
    { context: { messages: [{ role: "system", content: "a" }, { role: "system" }] } },
    "context.messages[1] must be a message with role and content, is an object",
  ],
  [
    { context: { tools: [{ name: "ADD", parameters: {} }] } },
    'context.tools[0] must be a tool such as {type: "function", function: {name, description, parameters}}, is an object',
  ],
  [
    { context: { messages: [{ role: "system", content: "x".repeat(2 ** 24) }] } },
    "context must be at most 9395240 characters long, is an object",
  ],
  [{ agent: "gpt" }, 'agent must be a function, is "gpt"'],
  [{ branches: 0 }, "branches must be a whole number from 1, is 0"],
  [{ branches: 2.5 }, "branches must be a whole number from 1, is 2.5"],
  [{ branches: "3" }, 'branches must be a whole number from 1, is "3"'],
  [
    { concurrency: Number.POSITIVE_INFINITY },
    "concurrency must be a whole number from 1, is Infinity",
  ],
  [{ temperatures: 0.5 }, "temperatures must be a list, is 0.5"],
  [
    { temperatures: [] },
    "temperatures must hold one for all or one for each of the 4 branches, holds 0",
  ],
  [{ temperatures: [0, -1] }, "temperatures[1] must be a number from 0 to 9007199254740991, is -1"],
  [
    { temperatures: [Number.NaN] },
    "temperatures[0] must be a number from 0 to 9007199254740991, is NaN",
  ],
  [
    { temperatures: [1e20] },
    "temperatures[0] must be a number from 0 to 9007199254740991, is 100000000000000000000",
  ],
  [
    { branches: 3, temperatures: [0, 1] },
    "temperatures must hold one for all or one for each of the 3 branches, holds 2",
  ],
  [{ branches: 1, seeds: [1, 2] }, "seeds must hold one, holds 2"],
  [
    { temperatures: [0, 1], seeds: [1, 2, 3] },
    "temperatures must hold one for all or one for each of the 3 branches, holds 2",
  ],
  [{ seeds: [0.5] }, "seeds[0] must be a safe integer or null, is 0.5"],
  [{ seeds: [2 ** 53] }, "seeds[0] must be a safe integer or null, is 9007199254740992"],
  [{ seeds: [undefined] }, "seeds[0] must be a safe integer or null, is undefined"],
  [{ signal: new AbortController() }, "signal must be an AbortSignal, is an object"],
  [
    { timeoutMs: 0 },
    "timeoutMs must be milliseconds above 0, at most 2147483647, or Infinity, is 0",
  ],
  [
    { timeoutMs: 2 ** 31 },
    "timeoutMs must be milliseconds above 0, at most 2147483647, or Infinity, is 2147483648",
  ],
  [
    { timeoutMs: "1s" },
    'timeoutMs must be milliseconds above 0, at most 2147483647, or Infinity, is "1s"',
  ],
  [{ rolloutId: "" }, 'rolloutId must be text that is not empty, is ""'],
  [{ rolloutId: "\ud800" }, 'rolloutId must be text without lone surrogates, is "\\ud800"'],
  [{ sessionIdPrefix: 7 }, "sessionIdPrefix must be text without lone surrogates, is 7"],
])("wrong: %o", (options, message) => {
  // As from JavaScript. It throws at once, not when the first record is requested.
  const call = (): unknown => Reflect.apply(forkRollout, undefined, [{ ...required, ...options }]);
  expect(call).toThrow(new UserError(`forkRollout: ${message}`, EXIT.usage));
});

test("a misspelt option is an error", () => {
  const options = { ...required, timeoutms: 5, temperature: 3 };
  const call = (): unknown => Reflect.apply(forkRollout, undefined, [options]);
  expect(call).toThrow(UserError);
  expect(call).toThrow(
    'there is no option "timeoutms" (did you mean timeoutMs?): use task, context, agent',
  );
});

test("missing options are an error", () => {
  expect(() => Reflect.apply(forkRollout, undefined, [])).toThrow(UserError);
});
