import {
  answer,
  callMessage,
  human,
  noTools,
  other,
  pair,
  result,
  TOOLS,
  user,
} from "../testing/rows.js";
import { testRows } from "../testing/test-rows.js";

testRows([
  [
    "a call without a result",
    "trl-sft",
    { messages: [user, callMessage(), user, answer], tools: TOOLS },
    ["unanswered-call error /messages/1/tool_calls/0"],
  ],
  [
    "a result without a call",
    "trl-sft",
    { messages: [user, result, answer] },
    ["stray-result error /messages/1"],
  ],
  [
    "a result to another call",
    "trl-sft",
    { messages: [user, callMessage({}, "c7"), result, answer], tools: TOOLS },
    ["stray-result error /messages/2", "unanswered-call error /messages/1/tool_calls/0"],
  ],
  [
    "no tools declared",
    "trl",
    { ...pair, tools: undefined },
    ["missing-tools warning /prompt/2/tool_calls/0"],
  ],
  [
    "another tool declared",
    "trl",
    { ...pair, tools: [{ type: "function", function: { name: "close" } }] },
    ["undeclared-tool warning /prompt/2/tool_calls/0"],
  ],
  [
    "a definition without a name",
    "trl",
    { ...pair, tools: [...TOOLS, { type: "function" }] },
    ["tool-definition error /tools/1"],
  ],
  [
    "tools that are no list",
    "trl",
    { ...pair, tools: "count_issues" },
    ["column-type error /tools"],
  ],
  [
    "arguments as text",
    "trl",
    { ...noTools, tools: TOOLS, chosen: [callMessage('{"label":"bug"}')] },
    ["call-arguments error /chosen/0/tool_calls/0/function/arguments"],
  ],
  [
    "arguments as an object",
    "openai",
    { messages: [user, callMessage()], tools: TOOLS },
    ["call-arguments error /messages/1/tool_calls/0/function/arguments"],
  ],
  [
    "arguments encoded twice",
    "openai",
    { messages: [user, callMessage(JSON.stringify('{"label":"bug"}'))], tools: TOOLS },
    ["call-arguments error /messages/1/tool_calls/0/function/arguments"],
  ],
  [
    "no arguments",
    "trl",
    { ...noTools, tools: TOOLS, chosen: [callMessage(null)] },
    ["call-arguments error /chosen/0/tool_calls/0/function/arguments"],
  ],
  [
    "a call without an id",
    "openai",
    {
      messages: [
        user,
        {
          role: "assistant",
          tool_calls: [{ type: "function", function: { name: "count_issues", arguments: "{}" } }],
        },
      ],
      tools: TOOLS,
    },
    ["call-arguments error /messages/1/tool_calls/0"],
  ],
  [
    "calls elsewhere",
    "trl-sft",
    { messages: [user, { ...answer, function_call: { name: "f", arguments: "{}" } }] },
    ["call-arguments error /messages/1/function_call"],
  ],
  [
    "a call that is no JSON",
    "llama-factory",
    { conversations: [human, { from: "function_call", value: "count_issues(bug)" }] },
    ["call-arguments error /conversations/1"],
  ],
  [
    "a preferred call",
    "openai",
    {
      input: { messages: [user], tools: TOOLS },
      preferred_output: [callMessage("{}")],
      non_preferred_output: [other],
    },
    ["message-content error /preferred_output"],
  ],
  [
    "null content beside a call",
    "trl",
    { ...noTools, tools: TOOLS, chosen: [{ ...callMessage(), content: null }] },
    ["null-value warning /chosen/0/content"],
  ],
  [
    "parameters of other tools",
    "trl",
    {
      ...pair,
      tools: [
        {
          ...TOOLS[0],
          function: {
            ...TOOLS[0]?.function,
            parameters: { type: "object", properties: { label: { type: "string" }, to: null } },
          },
        },
      ],
    },
    ["null-value error /tools/0/function/parameters/properties/to"],
  ],
  [
    "arguments of other tools",
    "trl",
    { ...noTools, tools: TOOLS, chosen: [callMessage({ label: "bug", to: null })] },
    ["null-value error /chosen/0/tool_calls/0/function/arguments"],
  ],
  [
    "null fields",
    "trl",
    { ...noTools, chosen: [{ ...answer, tool_calls: null, name: null }] },
    ["null-value warning /chosen/0"],
  ],
]);
