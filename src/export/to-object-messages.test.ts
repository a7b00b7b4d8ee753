import { expect, test } from "vitest";
import type { Message } from "#generated/index.js";
import { toObjectMessages } from "./to-object-messages.js";

function callWith(args: { [name: string]: unknown } | string): Message {
  const call = { id: "c", type: "function", function: { name: "f", arguments: args } } as const;
  return { role: "assistant", content: "", tool_calls: [call] };
}

test("arguments that are text stand in an object, and nothing else changes", () => {
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
