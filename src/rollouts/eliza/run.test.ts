import { describe, expect, test } from "vitest";
import { type ActionCall, createRun, findActionArguments, type Run } from "./run.js";

describe("createRun", () => {
  const context = { messages: [], tools: [] };
  const call: ActionCall = {
    action: "ADD",
    args: { a: 2 },
    task: "2+2?",
    sessionId: "room",
    context,
  };

  test("the answer is everything said, one per line; else the text of the result, or the result", () => {
    const endings: [(run: Run) => void, unknown, string][] = [
      [
        (run) => {
          for (const text of ["one", "", "two"]) run.say({ text });
        },
        { text: "t" },
        "one\ntwo",
      ],
      [(run) => run.say({ thought: "hm" }), { text: "t" }, "t"],
      [() => {}, "legacy", "legacy"],
      [() => {}, undefined, ""],
      [() => {}, true, ""],
      [(run) => run.say(null), { text: 7 }, ""],
    ];
    for (const [say, result, answer] of endings) {
      const run = createRun(call);
      say(run);
      expect(run.succeed(result)).toMatchObject({ answer, threw: false });
    }
  });

  test.each<[string, unknown, unknown]>([
    ["false", false, "the action returned false"],
    ["success false, with an error", { success: false, error: "no" }, "no"],
    ["success false, with a text", { success: false, text: "not now" }, "not now"],
    ["success false alone", { success: false, text: "" }, "the action did not succeed"],
    ["an error alone", { error: new Error("no") }, { name: "Error", message: "no" }],
  ])("a failure is %s", (_, result, error) => {
    const { verdict, threw, events } = createRun(call).succeed(result);
    expect([verdict, threw]).toEqual(["fail", false]);
    expect(events[1]).toMatchObject({ event: "tool_result", data: { error } });
  });

  test("a success is what the action reports; a result that reports nothing has no verdict", () => {
    for (const result of [true, { success: true, error: "a warning" }]) {
      expect(createRun(call).succeed(result).verdict).toBe("pass");
    }
    for (const result of [undefined, null, 0, "done", { text: "done" }, { error: null }]) {
      expect(createRun(call).succeed(result).verdict).toBeUndefined();
    }
  });

  test("a run that throws has no answer; its events have what it said before", () => {
    const run = createRun({ ...call, callId: "call_7" });
    run.say({ text: "wait" });
    expect(run.fail(new TypeError("down"))).toEqual({
      task: "2+2?",
      sessionId: "room",
      context,
      answer: "",
      verdict: "fail",
      threw: true,
      events: [
        {
          event: "tool_call",
          channel: "tool",
          data: { toolName: "ADD", args: { a: 2 }, callId: "call_7" },
        },
        {
          event: "tool_result",
          channel: "tool",
          data: {
            callId: "call_7",
            toolName: "ADD",
            output: "wait",
            error: { name: "TypeError", message: "down" },
          },
        },
      ],
    });
  });

  test("a thrown undefined is still an error", () => {
    for (const thrown of [undefined, null]) {
      expect(createRun(call).fail(thrown).events[1]?.data?.error).toBe(String(thrown));
    }
  });

  test("only the first end counts", () => {
    const run = createRun(call);
    const outcome = run.succeed({ text: "four" });
    run.say({ text: "late" });
    expect(run.fail(new Error("late"))).toBe(outcome);
    expect(run.succeed("late")).toBe(outcome);
  });
});

describe("findActionArguments", () => {
  test("the model's parameters, overridden by the call's options, without the runtime's own", () => {
    const state = { values: {}, data: { actionParams: { city: "Bern", days: 3 }, providers: {} } };
    const options = {
      days: 5,
      actionContext: { previousResults: [] },
      actionPlan: {},
      onStreamChunk: () => {},
    };
    expect(findActionArguments(state, options)).toEqual({ city: "Bern", days: 5 });
  });

  test("a missing or unreadable value gives no arguments", () => {
    const thrower = new Proxy(
      {},
      {
        ownKeys() {
          throw new Error("nobody may read this");
        },
      },
    );
    for (const odd of [undefined, null, 7, "text", thrower]) {
      expect(findActionArguments(odd, odd)).toEqual({});
      expect(findActionArguments({ data: { actionParams: odd } }, {})).toEqual({});
    }
  });
});
