import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ToolDefinition } from "#generated/index.js";
import { runCount } from "../../../../base/testing/run-count.js";
import { type RowMessage, readMessage } from "./dialects.js";
import { RowIssues } from "./issues.js";
import { type SourceForm, toNormalForm } from "./normal-form.js";

const user = (content: string) => ({ role: "user", content });
const tool = (content: string, id?: string) => ({ role: "tool", content, tool_call_id: id });
const agent = (content: string, ...calls: readonly string[]) => ({
  role: "assistant",
  content,
  tool_calls: calls.map((id) => ({ id, function: { name: `do-${id}`, arguments: { id } } })),
});

const readAll = (messages: readonly object[], issues: RowIssues): readonly RowMessage[] =>
  messages.flatMap((message, index) => readMessage({ ...message }, `/${index}`, issues));

/** The normal form as short texts, and what was changed. */
function read(messages: readonly object[], form?: SourceForm) {
  const issues = new RowIssues();
  const normal = toNormalForm(readAll(messages, issues), issues, form);
  expect(issues.faults).toEqual([]);
  return [...normal.map(describeMessage), ...issues.tally.describeChanges()];
}

function describeMessage({ role, content, reasoning, calls, callId }: RowMessage): string {
  const called = calls.map(({ id, name, args }) => ` ${id ?? ""}:${name}${JSON.stringify(args)}`);
  const thought = reasoning === "" ? "" : ` (${reasoning})`;
  return `${role}${callId === undefined ? "" : ` ${callId}`}: ${content}${thought}${called.join("")}`;
}

describe("turns", () => {
  test("messages of the agent up to a result or a user message are one", () => {
    const thinking = { ...agent(""), reasoning_content: "Hm." };
    const messages = [user("Q"), thinking, agent("I look."), agent("", "a"), agent("", "b")];
    expect(
      read([...messages, tool("A", "a"), tool("B", "b"), agent("Done."), agent("Bye.")]),
    ).toEqual([
      "user: Q",
      'assistant: I look. (Hm.) a:do-a{"id":"a"} b:do-b{"id":"b"}',
      "tool a: A",
      "tool b: B",
      "assistant: Done.\n\nBye.",
      "4 messages joined to turns",
    ]);
  });

  test("what the agent was given is not joined with what it wrote", () => {
    const issues = new RowIssues();
    const [first, ...rest] = readAll([agent("The answer"), agent("is 4.")], issues);
    const normal = toNormalForm([{ ...first, given: true } as RowMessage, ...rest], issues);
    expect(normal.map(({ content }) => content)).toEqual(["The answer", "is 4."]);
  });

  test("a call at the very end stays open", () => {
    expect(read([user("Q"), agent("Done.", "a")])).toEqual([
      "user: Q",
      'assistant: Done. a:do-a{"id":"a"}',
    ]);
  });
});

describe("results without a call", () => {
  const messages = [user("Q"), agent("ls"), tool("a.txt"), agent("", "a"), tool("b"), tool("c")];

  test("are the environment's messages where the source says so", () => {
    expect(read(messages, { environmentSpeaks: true })).toEqual([
      "user: Q",
      "assistant: ls",
      "user: a.txt",
      'assistant:  a:do-a{"id":"a"}',
      "tool: b",
      "user: c",
      "2 results without a call read as user messages",
    ]);
  });

  test("stay results elsewhere, or if they have an id", () => {
    expect(read(messages)[2]).toBe("tool: a.txt");
    const named = [user("Q"), agent("ls"), tool("a.txt", "x")];
    expect(read(named, { environmentSpeaks: true })).toContain("tool x: a.txt");
  });
});

test("calls of the user and their results are no part of the agent's conversation", () => {
  const messages = [
    user("Q"),
    agent("Restart it."),
    { ...agent("", "u"), role: "user" },
    { role: "tool", id: "u", requestor: "user", content: "restarted" },
    { ...agent("I look again.", "v"), role: "user" },
    tool("on", "v"),
    user("It works."),
    agent("", "a"),
    { role: "tool", id: "a", requestor: "assistant", content: "ok" },
  ];
  expect(read(messages)).toEqual([
    "user: Q",
    "assistant: Restart it.",
    "user: I look again.",
    "user: It works.",
    'assistant:  a:do-a{"id":"a"}',
    "tool a: ok",
    "2 calls of users left out",
    "2 results of users' calls left out",
  ]);
});

const XML =
  "<function=run>\n<parameter=command>\nls -l\n</parameter>\n<parameter=limit>\n3\n</parameter>\n</function>";
const TOOLS: readonly ToolDefinition[] = [
  {
    type: "function",
    function: {
      name: "run",
      parameters: { properties: { command: { type: "string" }, limit: { type: "integer" } } },
    },
  },
];
const JSON_CALL = '<tool_call>\n{"name": "run", "arguments": {"command": "ls"}}\n</tool_call>';

describe("calls written in texts", () => {
  test.each<[string, object[], string[]]>([
    [
      "JSON between the tags of Hermes, two at a time",
      [
        agent(`I look.\n${JSON_CALL}\n${JSON_CALL}`),
        tool("<tool_response>\na\n</tool_response>\n<tool_response>\nb\n</tool_response>"),
      ],
      ['assistant: I look. :run{"command":"ls"} :run{"command":"ls"}', "tool: a", "tool: b"],
    ],
    [
      "Python between tags",
      [
        agent("<tool_call>\n{'name': 'run', 'arguments': {'limit': None}}\n</tool_call>"),
        tool("a"),
      ],
      ['assistant:  :run{"limit":null}', "tool: a"],
    ],
    [
      "Qwen, with the results in a user message",
      [agent(JSON_CALL), user("<tool_response>\na\n</tool_response>")],
      ['assistant:  :run{"command":"ls"}', "tool: a"],
    ],
    [
      "Qwen-Coder: functions between tags",
      [agent(`<tool_call>\n${XML}\n</tool_call>`), tool("a", "r")],
      ['assistant:  r:run{"command":"ls -l","limit":3}', "tool r: a"],
    ],
    [
      "OpenHands",
      [agent(`I look.\n\n${XML}`), user("EXECUTION RESULT of [run]:\na")],
      ['assistant: I look. :run{"command":"ls -l","limit":3}', "tool: a"],
    ],
    [
      "SWE-smith",
      [agent(XML), user("OBSERVATION:\na")],
      ['assistant:  :run{"command":"ls -l","limit":3}', "tool: a"],
    ],
    [
      "ReAct",
      [agent('Thought: Hm.\nAction: run\nAction Input: {"limit": 3}'), user("Observation: a")],
      ['assistant: Thought: Hm. :run{"limit":3}', "tool: a"],
    ],
  ])("%s", (_, messages, expected) => {
    const found = read([user("Q"), ...messages, agent("Done.")], { tools: TOOLS });
    expect(found.slice(0, expected.length + 2)).toEqual([
      "user: Q",
      ...expected,
      "assistant: Done.",
    ]);
    expect(found.join()).toContain("read from");
  });

  test.each<[string, object[]]>([
    ["damaged JSON", [agent("<tool_call>\n{name: run}\n</tool_call>"), user("Observation: a")]],
    ["an open tag", [agent("<tool_call>\n{}"), user("Observation: a")]],
    [
      "arguments that are no object",
      [agent("Action: run\nAction Input: ls"), user("Observation: a")],
    ],
    ["no result", [agent(JSON_CALL), user("Stop.")]],
    ["a result too many", [agent(JSON_CALL), tool("a"), tool("b")]],
    ["a result too few", [agent(`${JSON_CALL}${JSON_CALL}`), tool("a"), agent("Done.")]],
    ["more than a result", [agent(JSON_CALL), user("<tool_response>a</tool_response> Go on.")]],
    ["a single call without a result", [agent(JSON_CALL)]],
  ])("all stay text: %s", (_, messages) => {
    const whole = [user("Q"), ...messages];
    const found = read(whole).filter((text) => /^(user|assistant|tool)/.test(text));
    const texts = whole.map((message) => ("content" in message ? message.content : ""));
    expect(found.map((text) => text.slice(text.indexOf(": ") + 2))).toEqual(texts);
    expect(found.join("\n")).not.toMatch(/^tool/m);
  });

  test("one that cannot be read leaves all as text, with their results as user messages", () => {
    const good = [agent(JSON_CALL), tool("a")];
    const bad = [agent("<tool_call>?</tool_call>"), tool("b")];
    expect(read([user("Q"), ...good, ...bad])).toEqual([
      "user: Q",
      `assistant: ${JSON_CALL}`,
      "user: a",
      "assistant: <tool_call>?</tool_call>",
      "user: b",
      "2 results without a call read as user messages",
    ]);
  });

  test("the last may be open if another has a result", () => {
    const found = read([user("Q"), agent(JSON_CALL), tool("a"), agent(XML)]);
    expect(found).toContain('assistant:  :run{"command":"ls -l","limit":"3"}');
  });

  test("many open tags are read in linear time", () => {
    expect(read([user("Q"), agent("<tool_call>".repeat(200_000)), tool("a")])).toHaveLength(4);
  });
});

describe("any conversation", () => {
  const text = fc.constantFrom("", "a", "b\n", "<tool_call>", JSON_CALL, XML, "Observation: c");
  const id = fc.constantFrom("x", "y", "z");
  const message = fc.oneof(
    fc.record({ role: fc.constantFrom("user", "system"), content: text }),
    fc
      .record({ content: text, ids: fc.array(id, { maxLength: 2 }) })
      .map(({ content, ids }) => agent(content, ...ids)),
    fc
      .record({ content: text, id: fc.option(id, { nil: undefined }) })
      .map((each) => tool(each.content, each.id)),
  );
  const answered = fc
    .constantFrom(JSON_CALL, XML)
    .map((call) => [agent(call), user("Observation: c")]);
  const conversation = fc
    .array(fc.oneof({ weight: 3, arbitrary: message.map((each) => [each]) }, answered), {
      maxLength: 6,
    })
    .map((messages) => messages.flat());

  /** Everything that is said, called and returned, in order, without the marks of calls written in texts. */
  const contentsOf = (messages: readonly RowMessage[]): string =>
    messages
      .flatMap(({ content, calls }) => [
        content,
        ...calls.map(({ name, args }) => `${name}${Object.values(args).join("")}`),
      ])
      .join("")
      .replace(
        /<tool_call>\n(?:\{"name": "run", "arguments": \{"command": "ls"\}\}\n<\/tool_call>)/g,
        "runls",
      )
      .replaceAll(XML, "runls -l3")
      .replaceAll("Observation: ", "")
      .replaceAll(/\s/g, "");

  test("keeps its texts, calls and results in their order; what is not changed is the same", () => {
    const kinds = { same: 0, changed: 0, called: 0 };
    const property = fc.property(conversation, fc.boolean(), (messages, speaks) => {
      const issues = new RowIssues();
      const given = readAll(messages, issues);
      const normal = toNormalForm(given, issues, { environmentSpeaks: speaks });
      const isMoved = issues.warnings.some(({ id }) => id === "part-order");
      if (!isMoved) expect(contentsOf(normal)).toBe(contentsOf(given));
      const changes = issues.tally.describeChanges();
      if (changes.length === 0) expect(normal).toEqual(given);
      kinds[changes.length === 0 ? "same" : "changed"] += 1;
      if (changes.join().includes("read from a text")) kinds.called += 1;
      // A second time nothing is left to change but what a text says by accident.
      expect(
        normal.some(
          (each, at) => each.role === "assistant" && normal[at + 1]?.role === "assistant",
        ),
      ).toBe(false);
    });
    fc.assert(property, { numRuns: runCount(2000) });
    expect(Math.min(...Object.values(kinds))).toBeGreaterThan(20);
  });
});
