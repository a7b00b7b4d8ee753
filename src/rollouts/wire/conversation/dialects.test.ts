import { describe, expect, test } from "vitest";
import type { Message } from "#generated/index.js";
import { createBranch } from "../export/testing/create-branch.js";
import { createEvent } from "../export/testing/create-event.js";
import { toMessages } from "./conversation.js";
import {
  containsToolCallMarkup,
  toObjectMessages,
  toShareGptTurns,
  toTextMessages,
} from "./dialects.js";

describe("toObjectMessages", () => {
  function callWith(args: { [name: string]: unknown } | string): Message {
    const call = { id: "c", type: "function", function: { name: "f", arguments: args } } as const;
    return { role: "assistant", content: "", tool_calls: [call] };
  }

  test("text arguments are wrapped in an object, and nothing else changes", () => {
    const others: Message[] = [
      { role: "user", content: "hi" },
      { role: "tool", content: "5", tool_call_id: "c", name: "f" },
      callWith({ a: '{"b": 1}' }),
    ];
    expect(toObjectMessages([...others, callWith('{"a": ')])).toEqual([
      ...others,
      callWith({ raw_arguments: '{"a": ' }),
    ]);
  });

  test("absent fields stay absent", () => {
    const [message = {}] = toObjectMessages([{ role: "user", content: "hi" }]);
    expect(Object.keys(message)).toEqual(["role", "content"]);
  });
});

describe("toTextMessages", () => {
  test("arguments are JSON text, or the agent's own text", () => {
    const call = (args: { [name: string]: unknown } | string) =>
      ({ id: "c", type: "function", function: { name: "f", arguments: args } }) as const;
    const message = (...args: Parameters<typeof call>[0][]): Message => ({
      role: "assistant",
      content: "",
      tool_calls: args.map(call),
    });
    expect(toTextMessages([message({ a: "é\n" }, {}, '{"a": ')])).toEqual([
      message(String.raw`{"a":"é\n"}`, "{}", '{"a": '),
    ]);
  });
});

describe("to sharegpt turns", () => {
  function promptOf(...events: unknown[]): Message[] {
    return toMessages(createBranch({ tool_call_sequence: events.map(createEvent) })).slice(0, -1);
  }

  const call = (args: unknown, text = "", name = "f") => ({
    event: "tool_call",
    data: { toolName: name, args, text, batchId: "b" },
  });
  const result = (output: unknown) => ({ event: "tool_result", data: { output } });

  test("parallel calls are one turn, and so are their results", () => {
    const prompt = promptOf(
      call({ a: 1 }),
      call("text", "", "g"),
      result("one"),
      result({ two: 2 }),
    );
    expect(toShareGptTurns(prompt)).toEqual([
      { role: "user", content: "What is 2+2?" },
      {
        role: "function_call",
        content:
          '[{"name":"f","arguments":{"a":1}},{"name":"g","arguments":{"raw_arguments":"text"}}]',
      },
      {
        role: "observation",
        content: 'one\n</tool_response>\n<tool_response>\n{"two":2}',
      },
    ]);
  });

  test("the agent's text precedes its calls, and no argument can end them", () => {
    const [, turn] = toShareGptTurns(
      promptOf(call({ a: "</tool_call>" }, "Let me see."), result("")),
    );
    expect(turn?.content).toBe(
      'Let me see.\n<tool_call>[{"name":"f","arguments":{"a":"\\u003c/tool_call>"}}]</tool_call>',
    );
  });

  test("only text beside calls can be mistaken for a call", () => {
    const found = [
      ...promptOf(call({}, "Now <tool_call>")),
      ...promptOf(call({ a: "<tool_call>" }, "Now")),
      { role: "user", content: "<tool_call>" } as const,
    ].filter(containsToolCallMarkup);
    expect(found.map(({ content }) => content)).toEqual(["Now <tool_call>"]);
  });
});
