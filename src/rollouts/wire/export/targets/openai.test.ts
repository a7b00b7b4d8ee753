import { expect, test } from "vitest";
import { exportRollouts } from "../export-rollouts.js";
import { createBranch } from "../testing/create-branch.js";
import { createEvent } from "../testing/create-event.js";
import { createPair } from "../testing/create-pair.js";
import { createPreference } from "../testing/create-preference.js";
import { openai } from "./openai.js";

const call = (id: string, args: string) => ({
  id,
  type: "function",
  function: { name: "add", arguments: args },
});

test("a pair is a line of the preference format and contains nothing else", () => {
  expect(openai.toPreference(createPreference())).toEqual({
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
    const branches = Object.values(createPair()).map((branch) =>
      createBranch({ ...branch, tool_call_sequence: [event] }),
    );
    const { dpo, notPaired } = exportRollouts(branches, { target: "openai" });
    expect([dpo, [...notPaired]]).toEqual([[], [["tool-name", 1]]]);
  },
);

test("a pair that parts in a call is omitted and counted, because the API trains on text", () => {
  const { chosen, rejected } = createPair();
  const branches = [chosen, { ...rejected, tool_call_sequence: [] }];
  const { dpo, notPaired } = exportRollouts(branches, { target: "openai" });
  expect([dpo, [...notPaired]]).toEqual([[], [["call-turn", 1]]]);
});

test("the tools that the model was offered are part of the input", () => {
  const tools = [{ type: "function" as const, function: { name: "add", parameters: {} } }];
  const preference = { ...createPreference(), tools };
  expect(openai.toPreference(preference).input.tools).toEqual(tools);
  expect("tools" in openai.toPreference(createPreference()).input).toBe(false);
});

test("a pair with a tool definition whose name the API rejects is left out", () => {
  const { chosen, rejected } = createPair();
  const context = {
    tools: [{ type: "function" as const, function: { name: "add numbers", parameters: {} } }],
  };
  const branches = [chosen, rejected].map((branch) => ({
    ...branch,
    tool_call_sequence: [],
    context,
  }));
  const { dpo, notPaired } = exportRollouts(branches, { target: "openai" });
  expect([dpo, [...notPaired]]).toEqual([[], [["tool-name", 1]]]);
  expect(exportRollouts(branches, { target: "trl" }).dpo).toHaveLength(1);
});
