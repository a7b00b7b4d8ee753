import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../base/json/value.js";
import { readLog } from "../testing/read-log.js";

describe("generations of Langfuse", () => {
  const input = [{ role: "user", content: "How warm is it?" }];
  const call = { id: "c", type: "function", function: { name: "read", arguments: "{}" } };
  const generation = (said: unknown, asked: unknown = input): JsonObject => ({
    ...{ id: "g", type: "GENERATION", traceId: "t" },
    ...{ input: JSON.stringify(asked), output: JSON.stringify(said) },
  });

  test("input and output as JSON text are read as what they hold", () => {
    const answer = { role: "assistant", content: "", additional_kwargs: { tool_calls: [call] } };
    const read = readLog([generation(answer)]);
    expect(read.given).toEqual(["user: How warm is it?"]);
    expect(read.branch.tool_call_sequence).toMatchObject([{ data: { toolName: "read" } }]);
  });

  test("an output may be a whole response, of either API", () => {
    const message = { role: "assistant", content: "9 degrees" };
    const choices = [
      { message, finish_reason: "length", index: 0 },
      { message, index: 1 },
    ];
    const chat = readLog([generation({ choices, usage: { total_tokens: 3 } })]);
    expect([chat.turns, chat.end, chat.unread]).toEqual([
      ["assistant: 9 degrees"],
      "cut",
      expect.arrayContaining(["1 x /output/usage", "1 x index", "1 x /output/choices/*"]),
    ]);
    const reasoning = { type: "reasoning", summary: [] };
    const output = [reasoning, { type: "message", ...message }];
    const asked = [
      ...input,
      { type: "function_call", call_id: "c", name: "read", arguments: "{}" },
    ];
    const result = { type: "function_call_output", call_id: "c", output: "9" };
    const read = readLog([generation({ instructions: "Be brief.", output }, [...asked, result])]);
    expect(read.given).toEqual(["system: Be brief.", "user: How warm is it?"]);
    expect(read.turns).toEqual(["assistant: ", "tool: 9", "assistant: 9 degrees"]);
    const cut = { output, incomplete_details: { reason: "max_output_tokens" } };
    expect([read.end, readLog([generation(cut)]).end]).toEqual([undefined, "cut"]);
  });

  test("a trace is the generations among its observations; the others are counted", () => {
    const observations = [
      { type: "SPAN", id: "s" },
      { ...generation(""), output: "9 degrees" },
    ];
    const read = readLog([{ trace: { id: "t" }, observations }]);
    expect([read.form, read.turns]).toEqual(["langfuse", ["assistant: 9 degrees"]]);
    expect(read.unread).toContain("1 x SPAN");
  });

  const tool = { name: "read", parameters: { type: "object" } };
  const observe = (more: JsonObject): JsonObject => ({ ...generation("9"), ...more });

  test("a function of the AI SDK around calls of a model is no call", () => {
    const outer = observe({ metadata: { attributes: { "ai.operationId": "ai.streamText" } } });
    const metadata = { "attributes.ai.operationId": "ai.streamText.doStream" };
    const inner = observe({ output: "9 degrees", metadata });
    const read = readLog([{ observations: [outer, inner] }]);
    expect([read.turns, read.unread.includes("1 x ai.streamText")]).toEqual([
      ["assistant: 9 degrees"],
      true,
    ]);
    for (const alone of [outer, { observations: [outer] }]) {
      expect(readLog([alone]).faults).toEqual([
        expect.stringMatching(/^is "ai\.streamText": only calls of a model/),
      ]);
    }
  });

  test("a line with another observation is left out, wherever it stands", () => {
    const others = [{ type: "SPAN", input: {}, output: null }, { type: "TOOL" }, { type: "CHAIN" }];
    for (const other of others) {
      const line = { id: "s", traceId: "t", input: { messages: input }, output: "", ...other };
      const messages = [
        `is "${other.type}": only calls of a model, which are generations, have whole conversations`,
      ];
      const read = readLog([line, generation("9")]);
      expect([read.form, read.faults]).toEqual(["langfuse", messages]);
    }
  });

  test("instructions in an attribute are counted where the messages have a system prompt", () => {
    const attributes = { "gen_ai.system_instructions": "Be long." };
    const asked = (role: string) =>
      readLog([
        observe({
          metadata: { attributes },
          input: [
            { role, content: "Be brief." },
            { role: "user", content: "9?" },
          ],
          output: "9 degrees",
        }),
      ]);
    const [own, other] = [asked("system"), asked("user")];
    expect([own.given[0], other.given[0]]).toEqual(["system: Be brief.", "system: Be long."]);
    const unread = "1 x /metadata/attributes/gen_ai.system_instructions";
    expect([own, other].map((read) => read.unread.includes(unread))).toEqual([true, false]);
  });

  test.each<[string, JsonObject]>([
    ["input", { input: { messages: input, tools: [tool] } }],
    [
      "messages",
      { input: [...input, { role: "tool", content: { type: "function", function: tool } }] },
    ],
    ["metadata", { metadata: JSON.stringify({ tools: [JSON.stringify(tool)] }) }],
    ["OpenTelemetry", { metadata: { attributes: { "gen_ai.tool.definitions": [tool] } } }],
    ["the AI SDK", { metadata: { attributes: { "ai.prompt.tools": [JSON.stringify(tool)] } } }],
    ["flat metadata", { metadata: { "attributes.ai.prompt.tools": [JSON.stringify(tool)] } }],
    [
      "OpenInference",
      { metadata: { attributes: { "llm.tools.0.tool.json_schema": JSON.stringify(tool) } } },
    ],
    [
      "Google, beside contents",
      { input: { contents: "How warm is it?", tools: [{ functionDeclarations: [tool] }] } },
    ],
    [
      "pydantic-ai",
      {
        metadata: {
          attributes: {
            model_request_parameters: JSON.stringify({
              function_tools: [],
              output_tools: [{ name: "read", parameters_json_schema: { type: "object" } }],
            }),
          },
        },
      },
    ],
  ])("tools are read from %s", (_, more) => {
    const { branch, given, faults } = readLog([observe(more)]);
    expect([branch.context, given, faults]).toEqual([
      { tools: [{ type: "function", function: tool }] },
      ["user: How warm is it?"],
      [],
    ]);
  });

  test("what is no function stays refused by its name", () => {
    const search = { function_declarations: [tool], google_search: {} };
    const picture = { inline_data: { mime_type: "image/png", data: "AA==" } };
    const asked = { contents: [{ parts: [{ text: "How warm?" }, picture] }], tools: [search] };
    expect(readLog([observe({ input: asked })]).faults).toEqual([
      'is a part of type "inline_data": a branch holds text only',
      expect.stringContaining("must be a function with a name"),
    ]);
    const parts = [
      { type: "text", content: "How warm?" },
      { type: "uri", uri: "a.png" },
    ];
    expect(readLog([observe({ input: [{ role: "user", parts }] })]).faults).toEqual([
      'is a part of type "uri": a branch holds text only',
    ]);
  });

  test("of several candidates, the first is read; how it ended is known", () => {
    const content = { parts: [{ text: "9 de" }] };
    const candidates = [{ content, finish_reason: 2 }, { content: { parts: [{ text: "8" }] } }];
    const read = readLog([observe({ output: { candidates } })]);
    expect([read.turns, read.unread.includes("1 x /output/candidates/*")]).toEqual([
      ["assistant: 9 de"],
      true,
    ]);
    expect(read.end).toBe("cut");
    const attributes = { "gen_ai.response.finish_reasons": '["length"]' };
    expect(readLog([observe({ metadata: { attributes } })]).end).toBe("cut");
  });

  test("events of OpenTelemetry have messages and calls as JSON text", () => {
    const agent = { role: "assistant", tool_calls: JSON.stringify([call]) };
    const asked = [...input, agent, { role: "tool", id: "c", content: "9" }];
    const message = JSON.stringify({ role: "assistant", content: "9 degrees" });
    const output = { index: 0, finish_reason: "length", message };
    const read = readLog([observe({ input: asked, output })]);
    expect([read.turns, read.end, read.faults]).toEqual([
      ["assistant: ", "tool: 9", "assistant: 9 degrees"],
      "cut",
      [],
    ]);
    expect(read.unread).toContain("1 x /output/index");
  });

  test("attributes of OpenInference are put into each other", () => {
    const contents = [{ message_content: { type: "text", text: "How warm is it?" } }];
    const calls = [{ tool_call: { id: "c", function: { name: "read", arguments: "{}" } } }];
    const asked = [
      { message: { role: "user", contents } },
      { message: { role: "assistant", tool_calls: calls } },
      { message: { role: "tool", tool_call_id: "c", content: "9" } },
    ];
    const output = [{ message: { role: "assistant", content: "9 degrees" } }];
    const read = readLog([observe({ input: asked, output })]);
    expect([read.given, read.turns]).toEqual([
      ["user: How warm is it?"],
      ["assistant: ", "tool: 9", "assistant: 9 degrees"],
    ]);
    expect(read.branch.tool_call_sequence).toMatchObject([{ data: { toolName: "read" } }, {}]);
    const picture = [{ message_content: { type: "image", image: { image: { url: "a.png" } } } }];
    const seen = [{ message: { role: "user", contents: picture } }];
    expect(readLog([observe({ input: seen })]).faults).toEqual([
      'is a part of type "image": a branch holds text only',
    ]);
  });

  test("parts stay in their order: a result, and what is said after it", () => {
    const parts = [
      { function_response: { name: "read", response: { degrees: 9 } } },
      { text: "And tomorrow?" },
    ];
    const asked = [
      { role: "user", parts: [{ text: "How warm is it?" }] },
      { role: "model", parts: [{ function_call: { name: "read" } }] },
      { role: "user", parts },
    ];
    const read = readLog([observe({ input: { contents: asked }, output: "10" })]);
    expect([...read.given, ...read.turns]).toEqual([
      "user: How warm is it?",
      "assistant: ",
      'tool: {"degrees":9}',
      "user: And tomorrow?",
      "assistant: 10",
    ]);
  });

  test("the AI SDK's calls alone, and with what is said", () => {
    const calls = [{ toolCallId: "c", toolName: "read", args: '{"at":"noon"}' }];
    for (const said of [
      calls,
      { role: "assistant", content: "", tool_calls: JSON.stringify(calls) },
    ]) {
      const read = readLog([
        observe({ input: { system: "Be brief.", prompt: "Warm?" }, output: said }),
      ]);
      expect(read.given).toEqual(["system: Be brief.", "user: Warm?"]);
      expect(read.branch.tool_call_sequence).toMatchObject([
        { data: { callId: "c", toolName: "read", args: { at: "noon" } } },
      ]);
    }
  });

  test("handlers write results and calls in their own way", () => {
    const named = { role: "read", content: "9" };
    const agent = { role: "assistant", content: "", tool_calls: [call] };
    const text = { role: "tool", content: JSON.stringify([call]) };
    for (const asked of [
      [...input, agent, named],
      [...input, text, { role: "tool", content: "9" }],
    ]) {
      expect(readLog([observe({ input: asked })]).branch.tool_call_sequence).toMatchObject([
        { event: "tool_call", data: { callId: "c", toolName: "read" } },
        { event: "tool_result", data: { callId: "c", toolName: "read", output: "9" } },
      ]);
    }
    const user = { ...call, function: { name: "user", arguments: "{}" } };
    const asked = [...input, { ...agent, tool_calls: [user] }];
    expect(readLog([observe({ input: asked })]).given).toEqual(["user: How warm is it?"]);
    expect(readLog([observe({ input: [...input, named] })]).faults).toEqual([
      expect.stringContaining('"read" is none of'),
    ]);
  });
});
