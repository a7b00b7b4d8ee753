import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findErrors, type Message } from "#generated/index.js";
import type { JsonObject } from "../../../../base/json/value.js";
import { runCount } from "../../../../base/testing/run-count.js";
import { rows as source } from "../forms/rows.js";
import { findDisagreement } from "../testing/find-disagreement.js";
import { readBranch, readRows } from "../testing/read-row.js";

const MAP = { texts: { map: "messages=/messages,system=/system" } };

/** The conversation that a branch tells: what was before the task, the task, and what follows. */
function read(messages: unknown, rest: JsonObject = {}): Message[] {
  const { branch } = readBranch(source, { messages, ...rest }, MAP);
  expect(findErrors("RolloutBranch", branch)).toEqual([]);
  expect(findDisagreement(branch)).toBeUndefined();
  const task: Message = { role: "user", content: branch.task };
  return [...(branch.context?.messages ?? []), task, ...(branch.turns ?? [])];
}

const faultsOf = (messages: unknown): string[] => {
  const [imported] = readRows(source, [{ messages }], MAP);
  const faults = imported?.kind === "faulty" ? imported.faults : [];
  return faults.map(({ id, pointer, message }) => `${pointer} ${message} (${id})`);
};

const warningsOf = (messages: unknown): string[] =>
  readBranch(source, { messages }, MAP).warnings.map(
    ({ id, pointer, message }) => `${pointer} ${message} (${id})`,
  );

const USER = { role: "user", content: "Add 2 and 2." };
const CALL = { id: "a", type: "function", function: { name: "add", arguments: { x: 2, y: 2 } } };
const DONE = { role: "assistant", content: "4" };
/** A turn that no tool event expresses, so that the branch has turns. */
const MORE = [
  { role: "user", content: "Sure?" },
  { role: "assistant", content: "Yes." },
];
const WHOLE: readonly object[] = [
  USER,
  { role: "assistant", content: "", tool_calls: [CALL] },
  { role: "tool", content: "four", tool_call_id: "a", name: "add" },
  DONE,
  ...MORE,
];

describe("OpenAI", () => {
  test("arguments are an object or its text, content null or parts, ids and names filled in", () => {
    const call = { ...CALL, function: { ...CALL.function, arguments: '{"x": 2, "y": 2}' } };
    const parts = [
      { type: "text", text: "fo" },
      { type: "text", text: "ur" },
    ];
    const written = [
      USER,
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", content: parts, tool_call_id: "a" },
      DONE,
      ...MORE,
    ];
    expect(read(written)).toEqual(WHOLE);
    expect(read(JSON.stringify(written))).toEqual(WHOLE);
  });

  test("the older function_call, whose result has a name only", () => {
    const written = [
      USER,
      {
        role: "assistant",
        content: null,
        function_call: { name: "add", arguments: '{"x":2,"y":2}' },
      },
      { role: "function", name: "add", content: "four" },
      DONE,
      ...MORE,
    ];
    const ids = JSON.stringify(WHOLE).replaceAll('"a"', '"call_0"');
    expect(read(written)).toEqual(JSON.parse(ids));
  });

  test("calls as JSON texts with a flat body, as verifiers saves them", () => {
    const flat = JSON.stringify({ id: "a", name: "add", arguments: '{"x":2,"y":2}' });
    const written = WHOLE.with(1, { role: "assistant", content: "", tool_calls: [flat] });
    expect(read(written)).toEqual(WHOLE);
  });

  test("tool_call_ids with one id, as SWE-agent writes them", () => {
    const written = WHOLE.with(2, { role: "tool", content: "four", tool_call_ids: ["a"] });
    expect(read(written)).toEqual(WHOLE);
    const two = WHOLE.with(2, { role: "tool", content: "four", tool_call_ids: ["a", "b"] });
    expect(faultsOf(two)).toEqual([
      "/messages/2/tool_call_ids must be a list of one id, is an array (type)",
    ]);
  });

  test.each(["reasoning_content", "reasoning", "thinking"])("the reasoning in %s", (key) => {
    expect(read([USER, { ...DONE, [key]: "Two and two." }])).toEqual([
      USER,
      { ...DONE, reasoning_content: "Two and two." },
    ]);
  });

  test("the thinking_blocks of verifiers are read if there is no other reasoning", () => {
    const thinking_blocks = [{ type: "thinking", thinking: "Hm.", signature: "s" }];
    expect(read([USER, { ...DONE, thinking_blocks }]).at(-1)).toHaveProperty(
      "reasoning_content",
      "Hm.",
    );
    const both = { ...DONE, thinking_blocks, reasoning_content: "Hm." };
    expect(read([USER, both]).at(-1)).toHaveProperty("reasoning_content", "Hm.");
  });

  test("system and developer messages before the task are context", () => {
    const before = [
      { role: "developer", content: "Be brief." },
      { role: "assistant", content: "Hello!" },
    ];
    expect(read([...before, ...WHOLE])).toEqual([...before, ...WHOLE]);
  });

  test("a text that JSON.parse would change stays a text, one that begins a value with a colon does not", () => {
    const args = (text: string) => {
      const call = { ...CALL, function: { name: "add", arguments: text } };
      const { branch } = readBranch(
        source,
        { messages: [USER, { role: "assistant", tool_calls: [call] }] },
        MAP,
      );
      return branch.tool_call_sequence[0]?.data?.args;
    };
    expect(args('{"n": 12345678901234567890}')).toBe('{"n": 12345678901234567890}');
    expect(args('{"n": 1, "n": 2}')).toBe('{"n": 1, "n": 2}');
    expect(args("{cut")).toBe("{cut");
    expect(args('{"db": ":memory:"}')).toEqual({ db: ":memory:" });
  });
});

describe("ShareGPT", () => {
  test("turns with from and value; a call has a turn of its own", () => {
    const written = [
      { from: "human", value: USER.content },
      { from: "function_call", value: '{"name":"add","arguments":{"x":2,"y":2}}' },
      { from: "observation", value: "four" },
      { from: "gpt", value: "4" },
      { from: "human", value: "Sure?" },
      { from: "gpt", value: "Yes." },
    ];
    const expected = JSON.parse(JSON.stringify(WHOLE).replaceAll('"a"', '"call_0"'));
    expect(read(written)).toEqual(expected);
    const keys = written.map(({ from: role, value: content }) => ({ role, content }));
    expect(read(keys)).toEqual(expected);
  });

  test("a system prompt in a field of its own is added unless the messages have it", () => {
    const written = [
      { from: "human", value: "Hi" },
      { from: "gpt", value: "Ho" },
    ];
    const system = { role: "system", content: "Rhyme." };
    expect(read(written, { system: "Rhyme." })[0]).toEqual(system);
    expect(read([{ from: "system", value: "Rhyme." }, ...written], { system: "Rhyme." })).toEqual(
      read([system, ...written]),
    );
  });

  test("a text and tagged calls in one turn, as LLaMA-Factory writes them", () => {
    const value =
      'Adding.\n<tool_call>[{"name":"add","arguments":{}},{"name":"sum","arguments":{}}]</tool_call>';
    const [, turn] = read([
      { from: "human", value: "Add." },
      { from: "function_call", value },
      { from: "observation", value: "1" },
      { from: "observation", value: "2" },
      { from: "gpt", value: "Done." },
      { from: "human", value: "Thanks." },
    ]);
    expect(turn).toMatchObject({
      content: "Adding.",
      tool_calls: [
        { id: "call_0", function: { name: "add" } },
        { id: "call_1", function: { name: "sum" } },
      ],
    });
  });

  test("a call that is no JSON is an error", () => {
    const written = [USER, { from: "function_call", value: "add(2, 2)" }];
    expect(faultsOf(written)).toEqual([
      "/messages/1/value must be calls as JSON text; it is no JSON text (call-text)",
    ]);
  });
});

describe("Anthropic", () => {
  test("parts: thinking, tool_use, and tool_result in a user message with more text", () => {
    const written = [
      { role: "user", content: [{ type: "text", text: USER.content }] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Easy.", signature: "s" },
          { type: "text", text: "Adding." },
          { type: "tool_use", id: "a", name: "add", input: { x: 2, y: 2 } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "four" }] },
          { type: "text", text: "Go on." },
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "4" }] },
    ];
    expect(read(written)).toEqual([
      USER,
      { role: "assistant", content: "Adding.", reasoning_content: "Easy.", tool_calls: [CALL] },
      { role: "tool", content: "four", tool_call_id: "a", name: "add" },
      { role: "user", content: "Go on." },
      DONE,
    ]);
  });

  test("the same thought in a part and in a field is read once", () => {
    const content = [
      { type: "thinking", thinking: "Hm." },
      { type: "text", text: "4" },
    ];
    const thought = { ...DONE, reasoning_content: "Hm." };
    expect(read([USER, { role: "assistant", content, reasoning_content: "Hm." }])).toEqual([
      USER,
      thought,
    ]);
    expect(read([USER, { role: "assistant", content, reasoning: "So." }])).toEqual([
      USER,
      { ...DONE, reasoning_content: "Hm.\n\nSo." },
    ]);
  });

  test("a failed result is an error of its tool event", () => {
    const written = [
      USER,
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "add", input: {} }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "a", content: "no", is_error: true }],
      },
      DONE,
    ];
    const { branch } = readBranch(source, { messages: written }, MAP);
    expect(branch.tool_call_sequence[1]?.data).toEqual({
      ...{ callId: "a", toolName: "add" },
      ...{ output: "no", error: "no" },
    });
    expect(branch).not.toHaveProperty("turns");
  });

  test("redacted reasoning and a text after a call are counted", () => {
    const content = [
      { type: "redacted_thinking", data: "x" },
      { type: "redacted_thinking", data: "y" },
      { type: "tool_use", id: "a", name: "add", input: {} },
      { type: "text", text: "Wait." },
    ];
    expect(warningsOf([USER, { role: "assistant", content }])).toEqual([
      "/messages/1/content/0 2 parts of the conversation left out: a branch has no field for images and the like (unplaced-message)",
      "/messages/1/content/3 1 text after a call of the same message: moved before the calls (part-order)",
    ]);
  });
});

describe("what would change what the model saw is an error", () => {
  test.each<[string, unknown, string]>([
    ["an unknown role", { role: "critic", content: "x" }, '/messages/1/role "critic" is none of'],
    ["no role", { content: "x" }, '/messages/1 lacks "role" (required)'],
    [
      "a role that is no text",
      { role: 7, content: "x" },
      "/messages/1/role must be a string, is 7",
    ],
    [
      "an image",
      { role: "user", content: [{ type: "image_url", image_url: {} }] },
      '/messages/1/content/0 is a part of type "image_url": a branch holds text only (message-part)',
    ],
    [
      "an image in a result",
      { role: "user", content: [{ type: "tool_result", content: [{ type: "image" }] }] },
      '/messages/1/content/0/content/0 is a part of type "image": a branch holds text only',
    ],
    [
      "a call by the user",
      { role: "user", content: [{ type: "tool_use", id: "a", name: "b", input: {} }] },
      '/messages/1/content/0 is a part of type "tool_use"',
    ],
    [
      "a refusal",
      { role: "assistant", content: null, refusal: "No." },
      '/messages/1/refusal "refusal"',
    ],
    ["no content", { role: "assistant" }, '/messages/1 lacks "content" (required)'],
    ["a number", { role: "user", content: 7 }, "/messages/1/content must be a string or an array"],
    ["no message", "hello", "/messages/1 must be an object"],
    [
      "a call without a name",
      { role: "assistant", tool_calls: [{ id: "a", function: { arguments: {} } }] },
      '/messages/1/tool_calls/0/function lacks "name" (required)',
    ],
    [
      "arguments that are a list",
      { role: "assistant", tool_calls: [{ function: { name: "a", arguments: [1] } }] },
      "/messages/1/tool_calls/0/function must be a call whose arguments are an object or a text",
    ],
  ])("%s", (_, message, expected) => {
    const faults = faultsOf([USER, message, DONE]);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(expected);
  });

  test("in a JSON text the message names the place, and the text is located", () => {
    const text = JSON.stringify([USER, { role: "critic", content: "x" }]);
    expect(faultsOf(text)[0]).toMatch(
      /^\/messages in its JSON text at \/1\/role: "critic" is none of .*\(message-role\)$/,
    );
    expect(faultsOf("[{]")).toEqual([
      "/messages must be a list of messages as JSON; the text is no JSON text (messages-text)",
    ]);
    expect(faultsOf('[{"role":"user","role":"user"}]')[0]).toContain("has duplicate keys");
  });
});

/** A turn of a random conversation: what the agent says and calls, and what the user says then. */
interface Exchange {
  readonly text: string;
  readonly calls: readonly {
    readonly name: string;
    readonly args: object;
    readonly result: string;
  }[];
  readonly thought: string;
  readonly reply: string;
}

const text = fc.string({ unit: "grapheme", maxLength: 12 });
const said = text.filter((each) => each.trim() !== "");
/** Without nulls, which are the agent's own in a text only. */
const argsArbitrary = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 4 }).filter((key) => key !== "__proto__"),
  fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(":memory:")),
  { maxKeys: 3 },
);
const exchange: fc.Arbitrary<Exchange> = fc.record({
  // A call turn of ShareGPT cannot begin with JSON, nor end with a newline before its calls.
  text: text.filter((each) => !/^\s*[[{]|\n$|</.test(each)),
  calls: fc.array(
    fc.record({ name: fc.constantFrom("add", "look"), args: argsArbitrary, result: text }),
    { maxLength: 3 },
  ),
  thought: text,
  reply: text,
});

type Printer = (exchanges: readonly Exchange[]) => object[];

/** Ids as they are generated for calls that have none. */
function withIds(exchanges: readonly Exchange[]) {
  let ordinal = 0;
  return exchanges.map((each) => ({
    ...each,
    calls: each.calls.map((call) => ({ ...call, id: `call_${ordinal++}` })),
  }));
}

const printOpenAi =
  (asText: boolean): Printer =>
  (exchanges) =>
    withIds(exchanges).flatMap(({ text: content, calls, thought, reply }) => [
      {
        role: "assistant",
        content: content === "" && asText ? null : content,
        ...(thought !== "" && { reasoning_content: thought }),
        ...(calls.length > 0 && {
          tool_calls: calls.map(({ id, name, args }) => ({
            ...{ id, type: "function" },
            function: { name, arguments: asText ? JSON.stringify(args) : args },
          })),
        }),
      },
      ...calls.map(({ id, result }) => ({ role: "tool", tool_call_id: id, content: result })),
      { role: "user", content: reply },
    ]);

const printShareGpt: Printer = (exchanges) =>
  exchanges.flatMap(({ text: value, calls, thought, reply }) => {
    const functions = calls.map(({ name, args }) => ({ name, arguments: args }));
    const json = JSON.stringify(functions).replaceAll("<", "\\u003c");
    const turn =
      calls.length === 0
        ? { from: "gpt", value }
        : { from: "function_call", value: `${value}\n<tool_call>${json}</tool_call>` };
    return [
      { ...turn, ...(thought !== "" && { reasoning_content: thought }) },
      ...calls.map(({ result }) => ({ from: "observation", value: result })),
      { from: "human", value: reply },
    ];
  });

const printAnthropic: Printer = (exchanges) =>
  withIds(exchanges).flatMap(({ text: content, calls, thought, reply }) => [
    {
      role: "assistant",
      content: [
        ...(thought === "" ? [] : [{ type: "thinking", thinking: thought, signature: "s" }]),
        { type: "text", text: content },
        ...calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args })),
      ],
    },
    {
      role: "user",
      content: [
        ...calls.map(({ id, result }) => ({
          ...{ type: "tool_result", tool_use_id: id },
          content: [{ type: "text", text: result }],
        })),
        { type: "text", text: reply },
      ],
    },
  ]);

test("a conversation gives the same branch in every dialect", () => {
  fc.assert(
    fc.property(
      said,
      fc.array(exchange, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      (task, exchanges, asJson) => {
        const printed = [printOpenAi(false), printOpenAi(true), printAnthropic, printShareGpt].map(
          (print) => [{ role: "user", content: task }, ...print(exchanges)],
        );
        const branches = printed.map((messages) => {
          const row = { messages: asJson ? JSON.stringify(messages) : messages };
          const [imported] = readRows(source, [row], MAP);
          if (imported?.kind !== "branch") return imported?.kind;
          expect(findErrors("RolloutBranch", imported.branch)).toEqual([]);
          if (exchanges[0]?.reply !== task)
            expect(findDisagreement(imported.branch)).toBeUndefined();
          return imported.branch;
        });
        for (const branch of branches) expect(branch).toEqual(branches[0]);
      },
    ),
    { numRuns: runCount(2000, 60) },
  );
});
