import { expect, test } from "vitest";
import type { Message } from "#generated/index.js";
import { toTextMessages } from "./to-text-messages.js";

test("arguments are JSON text, or what the agent wrote", () => {
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
