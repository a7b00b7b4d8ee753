import { expect, test } from "vitest";
import { exportRollouts } from "../export-rollouts.js";
import { createBranch } from "../testing/create-branch.js";
import { createEvent } from "../testing/create-event.js";
import { createPair } from "../testing/create-pair.js";
import { openai } from "./openai.js";

const call = (id: string, args: string) => ({
  id,
  type: "function",
  function: { name: "add", arguments: args },
});

test("a pair is a line of the preference format and contains nothing else", () => {
  expect(openai.toDpo(createPair())).toEqual({
    input: {
      messages: [
        { role: "user", content: "What is 2+2?" },
        {
          role: "assistant",
          content: "Let me see.",
          tool_calls: [call("c1", '{"a":2,"b":2}'), call("c2", '{"a":null}')],
        },
        { role: "tool", content: '{"sum":4}', tool_call_id: "c1" },
        { role: "tool", content: "", tool_call_id: "c2" },
        { role: "assistant", content: "", tool_calls: [call("c3", '{"a": ')] },
        { role: "tool", content: "no JSON", tool_call_id: "c3" },
      ],
    },
    preferred_output: [{ role: "assistant", content: "four" }],
    non_preferred_output: [{ role: "assistant", content: "" }],
  });
});

test.each(["", "mcp.search", "get order", "é", "x".repeat(65)])(
  "a pair with a tool called %j is omitted and counted",
  (tool_name) => {
    const event = createEvent({ tool_name, args: {}, result: 1 });
    const named = createBranch({ tool_call_sequence: [event] });
    const { dpo, notPaired } = exportRollouts([named, createPair().rejected], { target: "openai" });
    expect([dpo, [...notPaired]]).toEqual([[], [["tool-name", 1]]]);
  },
);
