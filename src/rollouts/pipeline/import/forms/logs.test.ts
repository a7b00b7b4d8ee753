import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../base/json/value.js";
import { recogniseForm } from "../recognise.js";
import { readLog, splitLog } from "../testing/read-log.js";
import { NO_VALUES, PLACE, SETTINGS } from "../testing/read-row.js";

const say = (role: string, text: string): JsonObject => ({
  type: "response_item",
  payload: { type: "message", role, content: [{ type: "input_text", text }] },
});
const event = (type: string, fields: JsonObject = {}): JsonObject => ({
  type: "event_msg",
  payload: { type, ...fields },
});
const meta = (id: string, text?: string): JsonObject => ({
  type: "session_meta",
  payload: { id, ...(text && { base_instructions: { text } }) },
});

describe("sessions of Codex", () => {
  test("a reasoning item that only the provider can read is counted", () => {
    const item = { type: "reasoning", summary: [], encrypted_content: "gAAAA a b c d" };
    const lines = [meta("s"), say("user", "Hello"), { type: "response_item", payload: item }];
    const read = readLog([...lines, say("assistant", "Hi")]);
    expect([read.turns, read.faults]).toEqual([["assistant: Hi"], []]);
    expect(read.unread).toContain("1 x encrypted_content");
  });

  test("lines that are no items are counted by what they are", () => {
    const call = event("tool_call", { name: "bash", input: { cmd: "ls" } });
    const lines = [meta("s"), say("user", "Hello"), call, event("token_count"), { type: "x" }];
    expect(readLog([...lines, say("assistant", "Hi")]).unread).toEqual(
      expect.arrayContaining(["1 x event_msg/tool_call", "1 x event_msg/token_count", "1 x x"]),
    );
  });

  test("after a compaction, the model was given the history that replaced the items", () => {
    const replaced = [say("user", "First?").payload, say("assistant", "Summary").payload];
    const read = readLog([
      ...[meta("s", "Be brief."), say("user", "First?"), say("assistant", "One")],
      { type: "compacted", payload: { message: "Summary", replacement_history: replaced } },
      ...[say("user", "Second?"), say("assistant", "Two")],
    ]);
    expect(read.given).toEqual([
      ...["system: Be brief.", "user: First?", "assistant: Summary", "user: Second?"],
    ]);
    expect(read.turns).toEqual(["assistant: Two"]);
    expect(read.warnings).toEqual([
      "2 items before a compaction left out: the model no longer saw them",
    ]);
  });

  test("a compaction without that history is an error", () => {
    const lines = [meta("s"), say("user", "First?"), { type: "compacted", payload: {} }];
    expect(readLog([...lines, say("assistant", "Two")]).faults).toEqual([
      "the session was compacted: what the model saw then is not in it",
    ]);
  });

  test("turns that were rolled back are left out", () => {
    const read = readLog([
      ...[meta("s"), say("user", "<environment_context>here</environment_context>")],
      ...[say("user", "One?"), say("assistant", "1"), say("user", "Two?"), say("assistant", "2")],
      ...[say("user", "<turn_aborted>"), event("thread_rolled_back", { num_turns: 1 })],
      ...[say("user", "Three?"), say("assistant", "3")],
    ]);
    expect(read.given.at(-1)).toBe("user: One?");
    expect(read.turns).toEqual(["assistant: 1", "user: Three?", "assistant: 3"]);
    expect(read.warnings).toEqual([
      "3 items of turns that were rolled back left out: the model no longer saw them",
    ]);
  });

  test("a session that goes on from another one has its own id, and its instructions once", () => {
    const read = readLog([
      ...[meta("own"), meta("other", "Be brief."), meta("first", "Be brief.")],
      ...[say("user", "One?"), say("assistant", "1")],
    ]);
    expect(read.given).toEqual(["system: Be brief.", "user: One?"]);
    expect(read.branch.session_id).toBe("own");
  });
});

describe("sessions of Claude Code", () => {
  const line = (role: string, content: unknown, fields: JsonObject = {}): JsonObject => ({
    type: role,
    sessionId: "s",
    message: { role, content },
    ...fields,
  });

  test("the file of a subagent has nothing but its lines, which are read", () => {
    const own = { isSidechain: true };
    const read = readLog([line("user", "Run the tests", own), line("assistant", "Done", own)]);
    expect([read.given, read.turns]).toEqual([["user: Run the tests"], ["assistant: Done"]]);
    expect(read.warnings).toEqual([]);
  });

  test("a stream that Claude Code prints: its sessions, its subagents, and how it ended", () => {
    const printed = (role: string, content: string, fields: JsonObject = {}): JsonObject => {
      const { sessionId, ...rest } = line(role, content);
      return { ...rest, session_id: sessionId, parent_tool_use_id: null, ...fields };
    };
    const caller = { parent_tool_use_id: "t" };
    const lines = [
      { type: "system", subtype: "init", session_id: "s" },
      ...[printed("user", "Hello"), printed("user", "Test it", caller)],
      ...[printed("assistant", "I test", caller), printed("assistant", "Hi")],
    ];
    const end = { type: "result", subtype: "error_max_turns", session_id: "s" };
    const read = readLog([...lines, end, printed("user", "Bye", { session_id: "s2" })]);
    expect([read.given, read.turns, read.end]).toEqual([
      ...[["user: Hello"], ["assistant: Hi"], "cut"],
    ]);
    expect(read.warnings).toEqual([expect.stringContaining("2 lines of a subagent left out")]);
  });

  test("in any other file, lines of subagents are left out", () => {
    const own = { isSidechain: true };
    const lines = [line("user", "Hello"), line("assistant", "I test", own)];
    const read = readLog([...lines, line("assistant", "Hi")]);
    expect(read.turns).toEqual(["assistant: Hi"]);
    expect(read.warnings).toEqual(["1 line of a subagent left out"]);
  });

  test("lines without a session or a role are read, and other lines counted by their type", () => {
    const bare = (type: string, content: string): JsonObject => ({ type, message: { content } });
    const lines = [{ type: "summary", summary: "s" }, bare("user", "Hello")];
    const read = readLog([...lines, bare("assistant", "Hi")]);
    expect([read.form, read.given, read.turns]).toEqual([
      ...["claude-code", ["user: Hello"], ["assistant: Hi"]],
    ]);
    expect(read.unread).toContain("1 x summary");
  });

  test("a tool that a search found is counted, and its result is empty", () => {
    const call = { type: "tool_use", id: "t", name: "ToolSearch", input: {} };
    const found = [{ type: "tool_reference", tool_name: "Write" }];
    const result = { type: "tool_result", tool_use_id: "t", content: found };
    const lines = [line("user", "Hello"), line("assistant", [call]), line("user", [result])];
    const read = readLog([...lines, line("assistant", "Hi")]);
    expect([read.turns, read.faults]).toEqual([["assistant: ", "tool: ", "assistant: Hi"], []]);
    expect(read.unread).toContain("1 x tool_reference");
  });
});

describe("trajectories of SWE-agent", () => {
  const trajectory = (...history: JsonObject[]) => readLog([{ history, trajectory: [], info: {} }]);
  const question = { role: "user", content: "Repair the clock." };

  test("a thought or an action that the content does not repeat is counted", () => {
    const thought = 'I say "go".\n';
    const first = { role: "assistant", content: 'I say "go".\nls', thought, action: "ls" };
    expect(trajectory(question, first).unread).toEqual([]);
    const other = { role: "assistant", content: "I look.", thought: "Hm", action: "ls -R" };
    expect(trajectory(question, other).unread).toEqual(["1 x thought", "1 x action"]);
  });

  test("what only the last step has is what the agent said at last", () => {
    const call = { id: "c", function: { name: "bash", arguments: '{"command":"ls"}' } };
    const history = [
      { role: "user", content: "Find it.", agent: "main" },
      { role: "assistant", content: "I look.", tool_calls: [call] },
      { role: "tool", content: [{ type: "text", text: "a.py" }], tool_call_ids: ["c"] },
    ];
    const steps = [
      { action: "cd x", response: "I go elsewhere first.", observation: "" },
      { action: "ls", response: "I look.\n", observation: "a.py", state: "{}" },
    ];
    const last = { action: "submit\n", response: "It is a.py.", observation: "" };
    const log = (...more: JsonObject[]) =>
      readLog([{ history, trajectory: [...steps, ...more], info: {} }]);
    const read = log(last);
    expect(read.turns).toEqual(["assistant: I look.", "tool: a.py", "assistant: It is a.py."]);
    expect(read.branch.tool_call_sequence).toMatchObject([
      {},
      {},
      { data: { toolName: "submit" } },
    ]);
    expect(read.unread).toEqual(["1 x response", "1 x state"]);
    expect(log({ ...last, action: "submit now" }).unread).toContain("1 x action");
    // The program's own step, by which it ends a run.
    expect(log({ ...last, action: "" }).turns).toHaveLength(2);
  });

  test("the exit message of mini-swe-agent is counted", () => {
    const messages = [question, { role: "assistant", content: "Done." }];
    const exit = { role: "exit", content: "diff" };
    const info = { exit_status: "Submitted", submission: "diff" };
    const read = readLog([{ messages: [...messages, exit], info, trajectory_format: "1" }]);
    expect(read.turns).toEqual(["assistant: Done."]);
    expect(read.unread).toContain("1 x exit");
  });
});

test("fields beside the samples of Inspect and the simulations of tau2 are counted once", () => {
  const read = (name: string): readonly string[] => {
    const file = new URL(`../../../../../fixtures/import/forms/${name}`, import.meta.url);
    const values: unknown[] = [JSON.parse(readFileSync(file, "utf8"))];
    const form = recogniseForm(values);
    const parts = form ? splitLog(form, values) : [];
    const unread = parts.flatMap(({ tally }) => tally?.describeUnread() ?? []);
    return unread.filter((each) => each.startsWith("1 x /"));
  };
  const inspected = ["1 x /version", "1 x /status", "1 x /eval", "1 x /plan", "1 x /results"];
  expect(read("inspect.json")).toEqual(inspected);
  expect(read("tau2.json")).toEqual(["1 x /timestamp", "1 x /info"]);
});

test("the text of a custom tool is its argument, also if it is JSON", () => {
  for (const input of ["*** Begin Patch\n*** End Patch", '{"a":1}']) {
    const call = { type: "custom_tool_call", call_id: "c", name: "apply_patch", input };
    const { branch } = readLog([
      meta("s"),
      say("user", "Fix it."),
      { type: "response_item", payload: call },
    ]);
    expect(branch.tool_call_sequence).toMatchObject([
      { data: { toolName: "apply_patch", args: { input } } },
    ]);
  }
});

test("tau2 without a user: the task is the ticket, and the provider's copies are counted", () => {
  const call = { id: "c", name: "find", arguments: {}, requestor: "assistant" };
  const copy = { message: { tool_calls: [{ function: { name: "done", arguments: "{}" } }] } };
  const messages = [
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", id: "c", content: "Line 3", requestor: "assistant" },
    { role: "assistant", content: "###STOP###", raw_data: copy },
  ];
  const simulations = [{ id: "1", task_id: "t", messages, reward_info: { reward: 1 } }];
  const read = readLog([{ tasks: [{ id: "t", ticket: "Find the line." }], simulations }]);
  expect(read.given).toEqual(["user: Find the line."]);
  expect(read.turns.length).toBe(3);
  expect([read.faults, read.unread]).toEqual([[], expect.arrayContaining(["1 x raw_data"])]);
  expect(read.branch.objective_status).toBe("pass");
});

test("NeMo Gym: of an empty input, the task is the problem beside it", () => {
  const output = [{ type: "message", role: "assistant", content: "Fixed." }];
  const metadata = { problem_statement: "It crashes.", instance_id: "a" };
  const params = { input: [], metadata };
  const read = readLog([{ responses_create_params: params, response: { output }, reward: 1 }]);
  expect([read.given, read.turns]).toEqual([["user: It crashes."], ["assistant: Fixed."]]);
});

describe("rows in the layout of TRL", () => {
  const row = { prompt: "2+2?", completion: "4", tools: "[]" };

  test("need no reward if none of the first has any", () => {
    const form = recogniseForm([row]);
    const reader = form?.createReader(SETTINGS, NO_VALUES, [row]);
    expect(reader?.read(row, PLACE).kind).toBe("branch");
    // A later one that has a reward keeps it.
    const rewarded = reader?.read({ ...row, reward: 1 }, PLACE);
    expect(rewarded).toMatchObject({ kind: "branch", branch: { objective_status: "pass" } });
  });

  test("need one if any of the first has one", () => {
    const sample = [{ ...row, reward: 1 }, row];
    const reader = recogniseForm(sample)?.createReader(SETTINGS, NO_VALUES, sample);
    expect(reader?.read(row, PLACE).kind).toBe("faulty");
  });
});

describe("sessions of pi", () => {
  const head = { type: "session", version: 3, id: "s", timestamp: "t", cwd: "/" };
  type Line = readonly [role: string, content: unknown, more?: JsonObject, parent?: string];
  /** Entries that follow one another, but for those that name another parent. */
  const tree = (...lines: readonly Line[]): JsonObject[] => [
    head,
    ...lines.map(([role, content, more = {}, parent], index) => ({
      ...{ type: "message", id: `${index}`, timestamp: "t" },
      parentId: parent ?? (index === 0 ? null : `${index - 1}`),
      message: { role, content, ...more },
    })),
  ];
  const call = { type: "toolCall", id: "c", name: "ls", arguments: {} };

  test("the model saw the way from the last entry back to the first", () => {
    const read = readLog(
      tree(
        ...([
          ["user", "One?"],
          ["assistant", "1"],
          ["user", "Two?"],
        ] satisfies Line[]),
        ...([
          ["user", "Three?", {}, "1"],
          ["assistant", "3"],
        ] satisfies Line[]),
      ),
    );
    expect([read.form, read.given]).toEqual(["pi", ["user: One?"]]);
    expect(read.turns).toEqual(["assistant: 1", "user: Three?", "assistant: 3"]);
    expect(read.warnings).toEqual(["1 line of ways that the user did not follow left out"]);
  });

  test("older sessions are linear", () => {
    const lines = tree(["user", "One?"], ["assistant", "1"]);
    const linear = lines.map(({ id, parentId: _, ...rest }) => ({
      ...rest,
      ...(rest.type === "session" && { id }),
    }));
    expect(readLog(linear).turns).toEqual(["assistant: 1"]);
  });

  test("an answer that failed was not seen, nor were the results of its calls", () => {
    const read = readLog(
      tree(
        ["user", "One?"],
        ["assistant", [call], { stopReason: "aborted" }],
        ["toolResult", "none", { toolCallId: "c", toolName: "ls" }],
        ["assistant", "1", { stopReason: "stop" }],
      ),
    );
    expect([read.turns, read.faults]).toEqual([["assistant: 1"], []]);
    expect(read.warnings).toEqual([
      "2 lines of answers that failed or were aborted left out: the model never saw them",
    ]);
  });

  test("a session whose last answer failed is a failed run", () => {
    const fails = { stopReason: "error", errorMessage: "overloaded" };
    const lines = tree(
      ["user", "One?"],
      ["assistant", "1"],
      ["user", "Two?"],
      ["assistant", [], fails],
    );
    const { branch } = readLog(lines);
    expect(branch).toMatchObject({ imported_from: { record: { error: "overloaded" } } });
  });

  test.each([
    ["a compaction", { type: "compaction", summary: "One.", firstKeptEntryId: "0" }],
    [
      "the summary of a way that was left",
      { type: "branch_summary", summary: "One.", fromId: "0" },
    ],
  ])("%s is an error, unless it is on a way that was left", (_, summary) => {
    const lines = tree(["user", "One?"], ["assistant", "1"], ["user", "Two?"], ["assistant", "2"]);
    const [first, second, ...others] = lines;
    const entry = { ...summary, id: "x", parentId: "0", timestamp: "t" };
    const seen = lines.map((line) => (line.id === "1" ? { ...line, parentId: "x" } : line));
    expect(readLog([...seen.slice(0, 2), entry, ...seen.slice(2)]).faults).toEqual([
      "the session was summarised: in which words the model saw that is not in it",
    ]);
    expect(readLog([first, second, entry, ...others]).turns).toHaveLength(3);
  });

  test("what an extension says is a user's, what the user runs is refused by name", () => {
    const custom = {
      type: "custom_message",
      id: "x",
      parentId: "0",
      timestamp: "t",
      content: "Note.",
    };
    const [first, second, third] = tree(["user", "One?"], ["assistant", "1", {}, "x"]);
    expect(readLog([first, second, custom, third]).given).toEqual(["user: One?", "user: Note."]);
    const run = { command: "ls", output: "a" };
    const ran = (more: JsonObject) =>
      readLog(
        tree(
          ["bashExecution", undefined, { ...run, ...more }],
          ["user", "One?"],
          ["assistant", "1"],
        ),
      );
    expect(ran({}).faults.join()).toContain('"bashExecution" is none of');
    expect(ran({ excludeFromContext: true }).turns).toEqual(["assistant: 1"]);
  });

  test("a stream of events is no session", () => {
    const event = { type: "message_end", message: { role: "assistant", content: [] } };
    expect(readLog([head, { type: "agent_start" }, event]).form).toBeUndefined();
  });
});

describe("rows of NeMo Gym", () => {
  const call = { type: "function_call", call_id: "c", name: "read", arguments: "{}" };
  const items = [
    ...[{ type: "message", role: "user", content: "One?" }, call],
    { type: "function_call_output", call_id: "c", output: "1" },
  ];
  const tool = { type: "function", name: "read", parameters: { type: "object" } };
  const row = (output: unknown): JsonObject => ({
    responses_create_params: { input: [], tools: [] },
    response: { output, tools: [tool] },
  });

  test("of transitions, the last one has all that was said; tools may stand in the response", () => {
    const whole = [...items, { type: "message", role: "assistant", content: "1", id: "m" }];
    const read = readLog([row([items.slice(0, 2), items, whole])]);
    expect([...read.given, ...read.turns]).toEqual([
      ...["user: One?", "assistant: ", "tool: 1", "assistant: 1"],
    ]);
    expect(read.branch.context).toMatchObject({ tools: [{ function: { name: "read" } }] });
    expect(read.unread).not.toContain("1 x /response/tools");
  });

  test("transitions that are no beginnings of the last one are refused", () => {
    expect(readLog([row([items, items.slice(0, 2)])]).faults).toEqual([
      expect.stringContaining('"no item" is none of'),
      expect.stringContaining('"no item" is none of'),
    ]);
  });
});

describe("events of OpenHands", () => {
  const said = (source: string, role: string, text: string): JsonObject => ({
    ...{ source, kind: "MessageEvent" },
    llm_message: { role, content: [{ type: "text", text }] },
  });

  test("lines with an event each are one stream; lines with a list are a stream each", () => {
    const stream = [said("user", "user", "One?"), said("agent", "assistant", "1")];
    expect(readLog(stream)).toMatchObject({ given: ["user: One?"], turns: ["assistant: 1"] });
    const form = recogniseForm(stream);
    expect(form && splitLog(form, [stream, stream])).toHaveLength(2);
  });
});

describe("runs of LangSmith", () => {
  const run = (outputs: JsonObject): JsonObject => ({
    ...{ id: "a", run_type: "llm", outputs },
    inputs: { messages: [{ role: "user", content: "One?" }] },
  });

  test("how a run ended is read of its choice; what stands beside that is counted", () => {
    const [message, other] = ["1", "2"].map((content) => ({ role: "assistant", content }));
    const choices = [{ message, finish_reason: "length", logprobs: [1] }, { message: other }];
    const generations = [
      [{ text: "1", generation_info: { finish_reason: "length", logprobs: [1] } }, { text: "2" }],
    ];
    for (const outputs of [{ choices }, { generations }]) {
      const read = readLog([run({ ...outputs, usage: { tokens: 1 } })]);
      expect([read.turns, read.end]).toEqual([["assistant: 1"], "cut"]);
      const [list = ""] = Object.keys(outputs);
      expect(read.unread).toEqual(
        expect.arrayContaining(["1 x /outputs/usage", `1 x /outputs/${list}`]),
      );
      expect(read.unread.join()).toContain("logprobs");
    }
  });

  test.each<[string, JsonObject, JsonObject]>([
    [
      "Anthropic's API",
      { system: "Be brief.", messages: [{ role: "user", content: "One?" }] },
      { role: "assistant", content: [{ type: "text", text: "1" }], stop_reason: "max_tokens" },
    ],
    [
      "the Responses API",
      { instructions: "Be brief.", input: "One?" },
      {
        output: [{ type: "message", role: "assistant", content: "1" }],
        incomplete_details: { reason: "max_output_tokens" },
      },
    ],
  ])("a run of %s", (_, inputs, outputs) => {
    const read = readLog([{ ...run(outputs), inputs }]);
    expect([read.given, read.turns, read.end]).toEqual([
      ["system: Be brief.", "user: One?"],
      ["assistant: 1"],
      "cut",
    ]);
  });

  test("of two system prompts and two questions, what is not read is counted", () => {
    const asked = { messages: [{ role: "user", content: "One?" }], input: "Two?" };
    const inputs = { ...asked, system: "Be brief.", instructions: "Be long." };
    const read = readLog([{ ...run({ role: "assistant", content: "1" }), inputs }]);
    expect(read.given).toEqual(["system: Be brief.", "user: One?"]);
    expect(read.unread).toEqual(
      expect.arrayContaining(["1 x /inputs/instructions", "1 x /inputs/input"]),
    );
  });

  test("other runs are left out", () => {
    expect(readLog([{ ...run({}), run_type: "chain" }, run({})]).faults).toEqual([
      'is a run of the type "chain": only runs of the type "llm" have a conversation',
    ]);
  });
});

describe("batches of LangSmith", () => {
  const place = { trace_id: "t", dotted_order: "o" };
  const begun = (id: string, more: JsonObject = {}): JsonObject => ({
    ...{ ...place, id, run_type: "llm", outputs: null },
    ...{ inputs: { messages: [{ role: "user", content: "One?" }] }, ...more },
  });
  const ended = (id: string): JsonObject => ({
    ...{
      ...place,
      id,
      inputs: null,
      outputs: { choices: [{ message: { role: "assistant", content: "1" } }] },
    },
  });

  test("a run begins in one batch and ends in another; a field of null says nothing", () => {
    const read = readLog([{ post: [begun("a")] }, { post: [], patch: [ended("a")] }]);
    expect([read.form, read.given, read.turns]).toEqual([
      ...["langsmith-batches", ["user: One?"], ["assistant: 1"]],
    ]);
  });

  test("a run that was sent alone has its id at the end of its place in the trace", () => {
    const { id: _, ...patch } = ended("a");
    const order = { dotted_order: "20260101T000000000001Za" };
    const read = readLog([{ post: [begun("a", order)] }, { patch: [{ ...patch, ...order }] }]);
    expect(read.turns).toEqual(["assistant: 1"]);
  });

  test("a run without an end has no answer; other runs are counted by type, or as runs", () => {
    expect(readLog([{ post: [begun("a")], patch: [] }]).faults).toEqual([
      "the agent gives no answer and calls no tool",
    ]);
    const others = [begun("b", { run_type: "chain" }), ended("c")];
    const read = readLog([{ post: [begun("a")], patch: [ended("a"), ...others] }]);
    expect(read.unread).toEqual(expect.arrayContaining(["1 x chain", "1 x run"]));
  });

  test("lists of other things called so are none", () => {
    expect(readLog([{ post: [{ id: 1, text: "x" }], patch: [] }]).form).toBeUndefined();
  });
});
