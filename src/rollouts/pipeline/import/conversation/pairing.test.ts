import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runCount } from "../../../../base/testing/run-count.js";
import type { RowMessage } from "./dialects.js";
import { pairMessages } from "./pair-messages.js";

interface Said {
  readonly id?: string | undefined;
  readonly name: string;
}

const EMPTY = { pointer: "", contentPointer: "", content: "", reasoning: "", failed: false };

function calling(...calls: readonly Said[]): RowMessage {
  return {
    ...EMPTY,
    role: "assistant",
    calls: calls.map(({ id, name }) => ({ pointer: "", id, name, args: {} })),
    callId: undefined,
    name: undefined,
    output: "",
  };
}

function result(callId?: string, name?: string): RowMessage {
  return { ...EMPTY, role: "tool", calls: [], callId, name, output: "" };
}

/** Each call and each result, in order, as "id name". */
function pair(...messages: readonly RowMessage[]): string[] {
  return pairMessages(messages).flatMap(({ message }) =>
    message.role === "tool"
      ? [`${message.tool_call_id} ${message.name}`]
      : (message.tool_calls ?? []).map((call) => `${call.id} ${call.function.name}`),
  );
}

describe("as in events, the best evidence is used first", () => {
  test("a result without an id leaves the call to the result that has its id", () => {
    const asked = calling({ id: "a", name: "x" }, { name: "y" });
    expect(pair(asked, result(), result("a"))).toEqual(["a x", "call_1 y", "call_1 y", "a x"]);
  });

  test("of two calls with one id, a result answers the one of its name", () => {
    const asked = calling({ id: "a", name: "x" }, { id: "a", name: "y" });
    expect(pair(asked, result("a", "y"), result("a"))).toEqual(["a x", "a y", "a y", "a x"]);
  });

  test("a result with an unknown id answers a call without an id, and gets its id", () => {
    expect(pair(calling({ name: "x" }), result("z"))).toEqual(["call_0 x", "call_0 x"]);
    expect(pair(calling({ id: "a", name: "x" }), result("z"))).toEqual(["a x", "z undefined"]);
  });
});

describe("a row whose messages all have ids, or none", () => {
  const name = fc.constantFrom("x", "y");
  const speech = fc.record({ calls: fc.array(name, { maxLength: 3 }) });
  const answer = fc.record({ to: fc.nat(5), name: fc.option(name, { nil: undefined }) });

  /** Looks through the open calls for each result, in order. */
  function pairPlainly(messages: readonly RowMessage[]): string[] {
    const open: Required<Said>[] = [];
    let ordinal = 0;
    return messages.flatMap(({ role, calls, callId, name }) => {
      const asked = calls.map((call) => {
        const id = call.id ?? `call_${ordinal}`;
        ordinal += 1;
        open.push({ id, name: call.name });
        return `${id} ${call.name}`;
      });
      if (role !== "tool") return asked;
      const isAnswered = (call: Required<Said>): boolean =>
        callId === undefined ? (name ?? call.name) === call.name : call.id === callId;
      const call = open.find(isAnswered);
      if (call !== undefined) open.splice(open.indexOf(call), 1);
      return [`${callId ?? call?.id} ${name ?? call?.name}`];
    });
  }

  test.each([true, false])("ids: %s", (hasIds) => {
    fc.assert(
      fc.property(fc.array(fc.oneof(speech, answer), { maxLength: 10 }), (turns) => {
        let ids = 0;
        const messages = turns.map((turn) => {
          if ("to" in turn) return result(hasIds ? `id-${turn.to}` : undefined, turn.name);
          return calling(
            ...turn.calls.map((name) => ({ name, id: hasIds ? `id-${ids++}` : undefined })),
          );
        });
        expect(pair(...messages)).toEqual(pairPlainly(messages));
      }),
      { numRuns: runCount(300) },
    );
  });
});
