import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findErrors, type Message } from "#generated/index.js";
import { MAX_NESTING } from "../../../base/json/unexportable.js";
import { runCount } from "../../../base/testing/run-count.js";
import { createBranch } from "../export/testing/create-branch.js";
import { createEvent } from "../export/testing/create-event.js";
import { toMessages } from "./conversation.js";
import { toArguments, toContent } from "./messages.js";

describe("toMessages", () => {
  const messagesOf = (events: unknown[], final_answer = "four") => {
    const tool_call_sequence = events.map(createEvent);
    const messages = toMessages(createBranch({ tool_call_sequence, final_answer }));
    expect(findErrors("Conversation", messages)).toEqual([]);
    return messages;
  };

  test("a branch without tools is a question and an answer", () => {
    expect(messagesOf([])).toEqual([
      { role: "user", content: "What is 2+2?" },
      { role: "assistant", content: "four" },
    ]);
  });

  test("the final answer is the last message, even if it is empty", () => {
    expect(messagesOf([], "").at(-1)).toEqual({ role: "assistant", content: "" });
  });

  test("a batch becomes one assistant message and one tool message per result, in call order", () => {
    const data = { batchId: "b0", text: "Let me look." };
    const messages = messagesOf([
      { event: "tool_call", data: { ...data, callId: "c1", toolName: "get", args: { id: 1 } } },
      {
        event: "tool_call",
        data: { ...data, text: "Both.", callId: "c2", toolName: "get", args: { id: 2 } },
      },
      { event: "tool_call", data: { ...data, callId: "c3", toolName: "get" } },
      { event: "tool_result", data: { callId: "c2", toolName: "get", output: { n: 2 } } },
      { event: "tool_result", data: { callId: "c1", toolName: "get", error: { message: "gone" } } },
    ]);
    expect(messages.slice(1, -1)).toEqual([
      {
        role: "assistant",
        content: "Let me look.\nBoth.",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "get", arguments: { id: 1 } } },
          { id: "c2", type: "function", function: { name: "get", arguments: { id: 2 } } },
          { id: "c3", type: "function", function: { name: "get", arguments: {} } },
        ],
      },
      { role: "tool", content: "gone", tool_call_id: "c1", name: "get" },
      { role: "tool", content: '{"n":2}', tool_call_id: "c2", name: "get" },
    ]);
  });

  test("keys follow the order of the schema", () => {
    const messages = messagesOf([
      { tool_name: "get", args: {}, result: "x" },
      { tool_name: "get", result: "stray", call_id: "z" },
    ]);
    expect(messages.map((message) => Object.keys(message).join(" "))).toEqual([
      "role content",
      "role content tool_calls",
      "role content tool_call_id name",
      "role content tool_call_id name",
      "role content",
    ]);
  });

  test("a result without a call keeps its position", () => {
    const stray = (output: string) => ({ event: "tool_result", data: { callId: output, output } });
    const messages = messagesOf([
      stray("first"),
      { event: "tool_call", data: { callId: "a" } },
      stray("second"),
      { event: "tool_call", data: { callId: "b" } },
      stray("third"),
    ]);
    expect(messages.map((m) => m.tool_calls?.[0]?.id ?? m.content)).toEqual([
      "What is 2+2?",
      "first",
      "a",
      "second",
      "b",
      "third",
      "four",
    ]);
  });

  test("a stray result gets neither an id nor a name", () => {
    expect(messagesOf([{ event: "tool_result", data: { error: "down" } }])[1]).toEqual({
      role: "tool",
      content: "down",
    });
  });

  describe("random event sequences in all dialects", () => {
    const spec = fc.record({
      kind: fc.constantFrom("call", "result", "both"),
      dialect: fc.constantFrom("toolName", "name", "flat args", "flat arguments"),
      tool: fc.constantFrom("get", "put"),
      callId: fc.constantFrom(undefined, "c1", "c2", "call_0", "call_1"),
      batchId: fc.constantFrom(undefined, "b0", "b1"),
      failed: fc.boolean(),
    });

    type Spec = typeof spec extends fc.Arbitrary<infer Value> ? Value : never;

    const isFlat = ({ dialect }: Spec) => dialect.startsWith("flat");

    /** Events of a spec, marked by its index. Two events if a dialect cannot express both in one. */
    function toEvents(value: Spec, index: number): unknown[] {
      const { kind, dialect, tool, callId, batchId, failed } = value;
      const mark = { mark: `call ${index}` };
      const text = `result ${index}`;
      if (isFlat(value)) {
        const args = dialect === "flat args" ? { args: mark } : { arguments: mark };
        const result = failed ? { error: text } : { result: text };
        const parts = { call: args, result, both: { ...args, ...result } };
        return [{ tool_name: tool, callId, batchId, ...parts[kind] }];
      }
      const ids = { callId, batchId, [dialect]: tool };
      const outcome = failed ? { error: text } : { output: text };
      const call = { event: "tool_call", data: { ...ids, args: mark } };
      const result = { event: "tool_result", data: { ...ids, ...outcome } };
      return { call: [call], result: [result], both: [call, result] }[kind];
    }

    /** JSON has no undefined. */
    const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

    const property = (check: (messages: Message[], specs: readonly Spec[]) => void) =>
      fc.assert(
        fc.property(fc.array(spec, { maxLength: 12 }), (specs) => {
          check(messagesOf(specs.flatMap(toEvents).map(asJson)), specs);
        }),
        { numRuns: runCount(2000) },
      );

    const marksOf = (specs: readonly Spec[], word: "call" | "result") =>
      specs.flatMap(({ kind }, index) =>
        kind === word || kind === "both" ? [`${word} ${index}`] : [],
      );

    const callsOf = (messages: readonly Message[]) => messages.flatMap((m) => m.tool_calls ?? []);
    const callMarksOf = (messages: readonly Message[]) =>
      callsOf(messages).map((call) => Object.values(call.function.arguments)[0]);
    const resultMarksOf = (messages: readonly Message[]) =>
      messages.filter(({ role }) => role === "tool").map(({ content }) => content);

    test("every call occurs exactly once, in order", () => {
      property((messages, specs) => {
        expect(callMarksOf(messages)).toEqual(marksOf(specs, "call"));
      });
    });

    test("every result occurs exactly once", () => {
      property((messages, specs) => {
        expect(resultMarksOf(messages).toSorted()).toEqual(marksOf(specs, "result").toSorted());
      });
    });

    test("the task is first, the answer last, and every other assistant message contains calls", () => {
      property((messages) => {
        expect(messages[0]).toEqual({ role: "user", content: "What is 2+2?" });
        expect(messages.at(-1)).toEqual({ role: "assistant", content: "four" });
        const inner = messages.slice(1, -1);
        expect(inner.filter((m) => m.role !== "tool" && m.tool_calls === undefined)).toEqual([]);
      });
    });

    test("a call and a result from the same event are in one block", () => {
      property((messages, specs) => {
        const blocks = toBlocks(messages);
        for (const [index, value] of specs.entries()) {
          if (!isFlat(value) || value.kind !== "both") continue;
          const block = blocks.find((block) => callMarksOf(block).includes(`call ${index}`)) ?? [];
          expect(resultMarksOf(block)).toContain(`result ${index}`);
        }
      });
    });

    test("a generated id belongs to one call, and its result is in the call's block", () => {
      property((messages, specs) => {
        const captured = new Set<string | undefined>(specs.map(({ callId }) => callId));
        const invented = callsOf(messages)
          .map(({ id }) => id)
          .filter((id) => !captured.has(id));
        const idless = specs.filter(
          ({ kind, callId }) => kind !== "result" && callId === undefined,
        );
        expect(new Set(invented).size).toBe(idless.length);
        for (const block of toBlocks(messages)) {
          const ids = callsOf(block).map(({ id }) => id);
          const answered = block.flatMap((m) => m.tool_call_id ?? []);
          expect(answered.filter((id) => invented.includes(id) && !ids.includes(id))).toEqual([]);
        }
      });
    });

    /** Each message other than a tool message, with the tool messages after it. */
    function toBlocks(messages: readonly Message[]): Message[][] {
      const blocks: Message[][] = [];
      for (const message of messages) {
        if (message.role === "tool") blocks.at(-1)?.push(message);
        else blocks.push([message]);
      }
      return blocks;
    }
  });
});

describe("toArguments", () => {
  test.each<[string, unknown, unknown]>([
    ["an object stays", { a: 1 }, { a: 1 }],
    ["text of an object becomes the object", '{"a": [1.5, null, "x"]}', { a: [1.5, null, "x"] }],
    ["none becomes {}", undefined, {}],
    ["null becomes {}", null, {}],
    ["broken text stays", '{"a": ', '{"a": '],
    ["empty text stays", "", ""],
    ["text of an array stays", "[1, 2]", "[1, 2]"],
    ["an array becomes text", [1, 2], "[1,2]"],
    ["a number becomes text", 7, "7"],
    ["false becomes text", false, "false"],
    [
      "an integer that would be rounded stays text",
      '{"id": 1234567890123456789}',
      '{"id": 1234567890123456789}',
    ],
    ["a number that would overflow stays text", '{"x": [-1e999]}', '{"x": [-1e999]}'],
  ])("%s", (_, args, expected) => {
    expect(toArguments(args)).toEqual(expected);
  });

  test("text becomes an object only up to the depth that can be exported", () => {
    const text = (depth: number) => `${'{"a":'.repeat(depth)}0${"}".repeat(depth)}`;
    expect(toArguments(text(MAX_NESTING))).toBeTypeOf("object");
    expect(toArguments(text(MAX_NESTING + 1))).toBe(text(MAX_NESTING + 1));
  });

  test("text nested beyond the call stack stays text", () => {
    const text = `{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    expect(toArguments(text)).toBe(text);
  });
});

describe("toContent", () => {
  test.each<[string, unknown, unknown, string]>([
    ["text stays", "sunny", undefined, "sunny"],
    ["an object becomes JSON", { a: "é" }, undefined, '{"a":"é"}'],
    ["0 becomes JSON", 0, undefined, "0"],
    ["false becomes JSON", false, undefined, "false"],
    ["none becomes empty", undefined, undefined, ""],
    ["null becomes empty", null, undefined, ""],
    ["an output wins over the error", "Error: 42", { message: "other" }, "Error: 42"],
    ["no output: the error's text", undefined, "timed out", "timed out"],
    ["empty output: the error's message", "", { code: 3, message: "timed out" }, "timed out"],
    ["an error without message: its JSON", null, { code: 3 }, '{"code":3}'],
    ["an error with an empty message: its JSON", null, { message: "" }, '{"message":""}'],
  ])("%s", (_, output, error, expected) => {
    expect(toContent({ output, error })).toBe(expected);
  });
});
