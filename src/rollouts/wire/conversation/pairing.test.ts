import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Open, ToolEvent } from "#generated/index.js";
import { runCount } from "../../../base/testing/run-count.js";
import { createEvent } from "../export/testing/create-event.js";
import { readToolEvents, type ToolAct, type ToolCall, type ToolResult } from "./events.js";
import { type PairedAct, pairResults } from "./pairing.js";

describe("pairResults", () => {
  interface Ids {
    readonly id?: string;
    readonly name?: string;
  }

  const named = ({ id, name }: Ids) => ({
    ...(id === undefined ? {} : { callId: id }),
    ...(name === undefined ? {} : { toolName: name }),
  });
  const call = (ids: Ids = {}): ToolEvent => ({ event: "tool_call", data: named(ids) });
  const result = (output: string, ids: Ids = {}) =>
    createEvent({ event: "tool_result", data: { ...named(ids), output } });

  /** Each call as "id: output", each unpaired result as "stray: output". */
  function pair(...events: Open<ToolEvent>[]): string[] {
    return pairResults(readToolEvents(events).acts).flatMap((act) => {
      if (act.kind === "call") return [`${act.id}: ${act.result?.output ?? "none"}`];
      return act.paired ? [] : [`stray: ${act.result.output}`];
    });
  }

  describe("by callId", () => {
    test("results may be in any order", () => {
      const events = [call({ id: "a" }), call({ id: "b" }), result("B", { id: "b" })];
      expect(pair(...events, result("A", { id: "a" }))).toEqual(["a: A", "b: B"]);
    });

    test("among calls with the same callId, the one of the same tool is answered", () => {
      const [a, b] = [
        { id: "c", name: "a" },
        { id: "c", name: "b" },
      ];
      expect(pair(call(a), call(b), result("B", b), result("A", a))).toEqual(["c: A", "c: B"]);
      expect(pair(call(a), call(b), result("?", { id: "c", name: "x" }))).toEqual([
        "c: ?",
        "c: none",
      ]);
    });

    test("a repeated callId answers the earliest unpaired call", () => {
      const a = { id: "a" };
      expect(pair(call(a), result("1", a), call(a), result("2", a))).toEqual(["a: 1", "a: 2"]);
      expect(pair(call(a), call(a), result("1", a), result("2", a))).toEqual(["a: 1", "a: 2"]);
      expect(pair(call(a), call(a), result("1", a))).toEqual(["a: 1", "a: none"]);
    });

    test("a second result for an answered call is a stray", () => {
      const a = { id: "a" };
      expect(pair(call(), call(a), result("1", a), result("2", a))).toEqual([
        "call_0: none",
        "a: 1",
        "stray: 2",
      ]);
    });

    test("a result never answers a later call", () => {
      expect(pair(result("1", { id: "a" }), call({ id: "a" }))).toEqual(["stray: 1", "a: none"]);
    });

    test("names are ignored if the ids agree", () => {
      expect(pair(call({ id: "a", name: "x" }), result("1", { id: "a", name: "y" }))).toEqual([
        "a: 1",
      ]);
    });
  });

  describe("in order", () => {
    test("results without an id answer calls without an id", () => {
      expect(pair(call(), call(), result("1"), result("2"))).toEqual(["call_0: 1", "call_1: 2"]);
    });

    test("names must agree if both are given", () => {
      const events = [call({ name: "x" }), call({ name: "y" }), call()];
      expect(pair(...events, result("1", { name: "y" }), result("2", { name: "z" }))).toEqual([
        "call_0: none",
        "call_1: 1",
        "call_2: 2",
      ]);
      expect(pair(call({ name: "x" }), result("1", { name: "y" }))).toEqual([
        "call_0: none",
        "stray: 1",
      ]);
    });

    test("a call with a matching id elsewhere is not paired by order", () => {
      const a = { id: "a" };
      expect(pair(call(a), call(), result("guess"), result("sure", a))).toEqual([
        "a: sure",
        "call_1: guess",
      ]);
    });

    test("a result without an id may answer a call with an id", () => {
      expect(pair(call({ id: "a" }), result("1"))).toEqual(["a: 1"]);
    });

    test("an unknown callId may answer only a call without an id", () => {
      expect(pair(call({ id: "a" }), call(), result("1", { id: "z" }))).toEqual([
        "a: none",
        "call_1: 1",
      ]);
    });
  });

  test("a result in the event of its call answers that call, whatever other calls are waiting", () => {
    const both = { tool_name: "x", args: {}, result: "own" };
    expect(pair({ tool_name: "x", args: {} }, both, { tool_name: "x", result: "late" })).toEqual([
      "call_0: late",
      "call_1: own",
    ]);
  });

  test("a generated id never equals a captured one", () => {
    expect(
      pair(
        call(),
        call({ id: "call_0" }),
        call(),
        result("z", { id: "call_2" }),
        call({ id: "call_2_1" }),
      ),
    ).toEqual(["call_0_1: z", "call_0: none", "call_2_2: none", "call_2_1: none"]);
  });
});

test("a hundred thousand calls with results in reverse order are paired quickly", () => {
  const names = Array.from({ length: 100_000 }, (_, index) => `tool-${index}`);
  const calls = names.map((tool_name) => createEvent({ event: "tool_call", tool_name }));
  const results = names
    .toReversed()
    .map((tool_name) => createEvent({ event: "tool_result", tool_name, result: tool_name }));
  const paired = pairResults(readToolEvents([...calls, ...results]).acts);
  const wrong = paired.filter((act) => act.kind === "call" && act.result?.output !== act.call.name);
  expect(wrong).toEqual([]);
});

describe("any events in any dialect are paired as the plain rules say", () => {
  const id = fc.option(fc.constantFrom("a", "b", "c", "call_0", "call_1", "call_1_1"), {
    nil: undefined,
  });
  const name = fc.option(fc.constantFrom("x", "y"), { nil: undefined });
  const kind = fc.constantFrom("tool_call", "tool_result", "both", "odd");
  const dialects = {
    "nested toolName": ({ id: callId, name: toolName, ...rest }: Said) =>
      nest(rest, { callId, toolName }, "output"),
    "nested name": ({ id: callId, name, ...rest }: Said) => nest(rest, { callId, name }, "output"),
    flat: ({ id: call_id, name: tool_name, ...rest }: Said) => {
      const { data, ...event } = nest(rest, { call_id, tool_name }, "result");
      return { ...event, ...data };
    },
  };

  interface Said {
    readonly kind: "tool_call" | "tool_result" | "both" | "odd";
    readonly id: string | undefined;
    readonly name: string | undefined;
  }

  function nest({ kind }: Pick<Said, "kind">, named: object, output: string) {
    const parts = kind === "both" ? ["args", output] : kind === "tool_result" ? [output] : [];
    const fields = Object.fromEntries(parts.map((part) => [part, `the ${part}`]));
    return { event: kind === "both" ? "tool_call" : kind, data: { ...named, ...fields } };
  }

  /** Each rule by itself, with a search through all calls: slow and plain. */
  function pairPlainly(acts: readonly ToolAct[]): PairedAct[] {
    const results = new Map<ToolCall, ToolResult>();
    const isStray = (result: ToolResult) => ![...results.values()].includes(result);
    const pairEach = (find: (result: ToolResult, open: readonly ToolCall[]) => unknown) => {
      for (const [at, result] of acts.entries()) {
        if (result.kind === "call" || !isStray(result)) continue;
        const calls = acts.slice(0, at).filter((act) => act.kind === "call");
        const open = calls.filter((call) => !results.has(call));
        const call = open.find((each) => each === find(result, open));
        if (call !== undefined) results.set(call, result);
      }
    };
    const agree = ({ name: one }: ToolCall, { name: other }: ToolResult) =>
      one === "" || other === undefined || one === other;
    const ids = acts.map((act) => (act.kind === "call" ? act.id : act.callId));
    const isKnown = (id: string) => acts.some((act) => act.kind === "call" && act.id === id);
    pairEach(({ answers }) => answers);
    pairEach((result, open) => {
      const same = open.filter(({ id }) => id !== undefined && id === result.callId);
      return same.find((call) => agree(call, result)) ?? same[0];
    });
    pairEach((result, open) => {
      const { callId } = result;
      if (callId !== undefined && isKnown(callId)) return undefined;
      return open.find(
        (call) => agree(call, result) && (callId === undefined || call.id === undefined),
      );
    });
    return acts.map((act) => {
      if (act.kind === "result") return { kind: "result", result: act, paired: !isStray(act) };
      const names = [`call_${act.ordinal}`, ...ids.map((_, k) => `call_${act.ordinal}_${k + 1}`)];
      const id = act.id ?? names.find((each) => !ids.includes(each)) ?? "";
      return { kind: "call", id, call: act, result: results.get(act) };
    });
  }

  test.each(Object.entries(dialects))("%s", (_, toEvent) => {
    const events = fc.array(fc.record({ kind, id, name }).map(toEvent), { maxLength: 14 });
    fc.assert(
      fc.property(events, (events) => {
        const { acts } = readToolEvents(JSON.parse(JSON.stringify(events)));
        expect(pairResults(acts)).toEqual(pairPlainly(acts));
      }),
      { numRuns: runCount(2000) },
    );
  });
});
