import { expect, test } from "vitest";
import type { Message } from "#generated/index.js";
import { createBranch } from "./testing/create-branch.js";
import { createEvent } from "./testing/create-event.js";
import { toPrompt } from "./to-prompt.js";
import { holdsToolCallMarkup, toShareGptTurns } from "./to-sharegpt-turns.js";

function promptOf(...events: unknown[]): Message[] {
  return toPrompt(createBranch({ tool_call_sequence: events.map(createEvent) }));
}

const call = (args: unknown, text = "", name = "f") => ({
  event: "tool_call",
  data: { toolName: name, args, text, batchId: "b" },
});
const result = (output: unknown) => ({ event: "tool_result", data: { output } });

test("parallel calls are one turn, and so are their results", () => {
  const prompt = promptOf(call({ a: 1 }), call("text", "", "g"), result("one"), result({ two: 2 }));
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

test("what the agent said stands before its calls, and no argument can end them", () => {
  const [, turn] = toShareGptTurns(
    promptOf(call({ a: "</tool_call>" }, "Let me see."), result("")),
  );
  expect(turn?.content).toBe(
    'Let me see.\n<tool_call>[{"name":"f","arguments":{"a":"\\u003c/tool_call>"}}]</tool_call>',
  );
});

test("only text beside calls can be taken for one", () => {
  const found = [
    ...promptOf(call({}, "Now <tool_call>")),
    ...promptOf(call({ a: "<tool_call>" }, "Now")),
    { role: "user", content: "<tool_call>" } as const,
  ].filter(holdsToolCallMarkup);
  expect(found.map(({ content }) => content)).toEqual(["Now <tool_call>"]);
});
