import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findErrors, ROLLOUT_BRANCH_SCHEMA_VERSION } from "#generated/index.js";
import { resolvePointer } from "../../../../base/json/pointer.js";
import type { JsonObject } from "../../../../base/json/value.js";
import { runCount } from "../../../../base/testing/run-count.js";
import { findDisagreement } from "../testing/find-disagreement.js";
import { type ReadOptions, readBranch, readRows, SETTINGS } from "../testing/read-row.js";
import { parseObjective } from "../verdicts/rewards.js";
import { rows as source } from "./rows.js";

const SYSTEM = { role: "system", content: "Be brief." };
const USER = { role: "user", content: "Which port?" };
const CALL = { id: "c1", type: "function", function: { name: "read", arguments: { file: "a" } } };
const CALLING = { role: "assistant", content: "I look.", tool_calls: [CALL] };
const RESULT = { role: "tool", content: "8117", tool_call_id: "c1", name: "read" };
const ANSWER = { role: "assistant", content: "It is 8117." };
const TOOL = { type: "function", function: { name: "read", parameters: {} } };

const row = (fields: JsonObject = {}): JsonObject => ({
  messages: [SYSTEM, USER, CALLING, RESULT, ANSWER],
  tools: [TOOL],
  reward: 1,
  prompt_id: "p-1",
  note: { kept: true },
  ...fields,
});

const mapped = (map: string, settings: ReadOptions["settings"] = {}): ReadOptions => ({
  texts: { map },
  settings,
});
const MAP = mapped("messages=/messages,tools=/tools,reward=/reward,group=/prompt_id");

const branchOf = (fields: JsonObject = {}, options = MAP) => {
  const { branch } = readBranch(source, row(fields), options);
  expect(findErrors("RolloutBranch", branch)).toEqual([]);
  expect(findDisagreement(branch)).toBeUndefined();
  return branch;
};

const faultsOf = (fields: JsonObject, options = MAP): string[] => {
  const [imported] = readRows(source, [row(fields)], options);
  const faults = imported?.kind === "faulty" ? imported.faults : [];
  return faults.map(({ id, pointer, message }) => `${pointer} ${message} (${id})`);
};

test("a row becomes a branch: task, context, tool events, answer, scores, and the rest of the row", () => {
  expect(branchOf()).toEqual({
    schema_version: ROLLOUT_BRANCH_SCHEMA_VERSION,
    rollout_id: "p-1",
    task: USER.content,
    branch_index: 0,
    temperature: 1,
    session_id: "p-1/0",
    tool_call_sequence: [
      {
        event: "tool_call",
        channel: "tool",
        data: {
          ...{ toolName: "read", args: { file: "a" }, callId: "c1" },
          ...{ batchId: "turn-0", text: "I look." },
        },
      },
      {
        event: "tool_result",
        channel: "tool",
        data: { callId: "c1", toolName: "read", output: "8117" },
      },
    ],
    final_answer: "It is 8117.",
    objective_status: "pass",
    objective_score: 1,
    judge_score: 10,
    scored_by: { objective: "reward>0.5", judge_score: { metric: "/reward", range: [0, 1] } },
    context: { messages: [SYSTEM], tools: [TOOL] },
    imported_from: {
      source: "messages",
      record: { reward: 1, prompt_id: "p-1", note: { kept: true } },
    },
  });
});

describe("turns", () => {
  test("are left out where task, tool events and answer express the conversation", () => {
    expect(branchOf()).not.toHaveProperty("turns");
    const other = { ...CALL, id: "x", function: { name: "list", arguments: {} } };
    const both = { ...CALLING, tool_calls: [CALL, other] };
    const results = [RESULT, { role: "tool", content: "a b", tool_call_id: "x", name: "list" }];
    expect(branchOf({ messages: [USER, both, ...results, ANSWER] })).not.toHaveProperty("turns");
    expect(branchOf({ messages: [USER, both, ...results.toReversed(), ANSWER] })).toHaveProperty(
      "turns",
    );
  });

  test.each<[string, object[], string]>([
    ["a later user turn", [ANSWER, { role: "user", content: "Sure?" }, ANSWER], "It is 8117."],
    ["reasoning", [{ ...ANSWER, reasoning_content: "Hm." }], "It is 8117."],
    ["no answer after the last call", [CALLING, RESULT], "I look."],
    ["a system message later on", [ANSWER, SYSTEM], "It is 8117."],
    ["a call without a result", [CALLING], "I look."],
    ["an empty answer", [{ role: "assistant", content: "", tool_calls: [CALL] }, RESULT], ""],
    [
      "white space as the last text",
      [ANSWER, { role: "user", content: "?" }, { role: "assistant", content: "\n" }],
      "",
    ],
  ])("are written for %s", (_, after, answer) => {
    const branch = branchOf({ messages: [USER, ...after] });
    expect(branch.turns).toEqual(after);
    expect(branch.final_answer).toBe(answer);
  });
});

test("the text of a call that is the final answer is not repeated in its event", () => {
  const [call] = branchOf({ messages: [USER, CALLING, RESULT] }).tool_call_sequence;
  expect(call?.data).not.toHaveProperty("text");
  expect(branchOf().tool_call_sequence[0]?.data).toHaveProperty("text", CALLING.content);
});

describe("ids of calls and results without one", () => {
  const withoutId = { type: "function", function: CALL.function };

  test("do not collide with those of the row", () => {
    const taken = { ...CALL, id: "call_1" };
    const calling = { role: "assistant", content: "", tool_calls: [taken, withoutId, withoutId] };
    const [first] = branchOf({ messages: [USER, calling] }).turns ?? [];
    expect(first?.tool_calls?.map(({ id }) => id)).toEqual(["call_1", "call_1_1", "call_2"]);
  });

  test("a result answers the earliest open call, of its name if it has one", () => {
    const other = { ...withoutId, function: { name: "list", arguments: {} } };
    const calling = { role: "assistant", content: "", tool_calls: [withoutId, other] };
    const results = [
      { role: "tool", content: "1", name: "list" },
      { role: "tool", content: "2" },
      { role: "tool", content: "3" },
    ];
    const { turns } = branchOf({ messages: [USER, calling, ...results] });
    expect(turns?.slice(1)).toEqual([
      { ...results[0], tool_call_id: "call_1" },
      { ...results[1], tool_call_id: "call_0", name: "read" },
      results[2],
    ]);
  });
});

describe("prompt and completion", () => {
  const options = mapped("prompt=/prompt,completion=/completion");

  test("the task is the last question of the prompt, what came before is context", () => {
    const prompt = [
      SYSTEM,
      { role: "user", content: "Hi." },
      { role: "assistant", content: "Ho." },
      USER,
    ];
    const { task, context, final_answer } = branchOf({ prompt, completion: [ANSWER] }, options);
    expect([task, context, final_answer]).toEqual([
      USER.content,
      { messages: prompt.slice(0, -1) },
      ANSWER.content,
    ]);
  });

  test("texts are the words of the user and of the assistant", () => {
    const branch = branchOf({ prompt: "[sic] Hi.", completion: " Ho." }, options);
    expect([branch.task, branch.final_answer]).toEqual(["[sic] Hi.", " Ho."]);
    const record = branch.imported_from;
    expect(record).toEqual({
      source: "messages",
      record: {
        messages: row().messages,
        tools: [TOOL],
        reward: 1,
        prompt_id: "p-1",
        note: { kept: true },
      },
    });
  });

  test("a prompt that is a damaged list of messages is no text", () => {
    const prompt = '[{"role": "user", "role": "user", "content": "Hi."}]';
    expect(faultsOf({ prompt, completion: "Ho." }, options)).toEqual([
      "/prompt must be a list of messages as JSON; the text has duplicate keys (messages-text)",
    ]);
  });

  test("a question in the completion is the task if the model did not speak before", () => {
    const row = { prompt: [SYSTEM], completion: [USER, ANSWER, { ...USER, content: "Sure?" }] };
    const { task, context, turns } = branchOf(row, options);
    expect([task, context]).toEqual([USER.content, { messages: [SYSTEM] }]);
    expect(turns).toEqual([ANSWER, { role: "user", content: "Sure?" }]);
  });

  test("messages count if the row has them", () => {
    const both = mapped("messages=/messages,prompt=/prompt,completion=/completion");
    expect(branchOf({ prompt: "Hi.", completion: "Ho." }, both).task).toBe(USER.content);
    expect(branchOf({ messages: null, prompt: "Hi.", completion: "Ho." }, both).task).toBe("Hi.");
  });
});

describe("messages and the answer to them", () => {
  const user = { role: "user", content: "How warm is it?" };
  const answer = { role: "assistant", content: "9 degrees" };
  const tool = { type: "function", function: { name: "read", parameters: { type: "object" } } };
  const choices = [{ message: answer, finish_reason: "length" }, { message: user }];

  test.each<[string, JsonObject]>([
    ["a response", { messages: [user], tools: [tool], response: { choices } }],
    ["a message", { messages: [user], tools: [tool], response: { type: "message", ...answer } }],
    ["a text", { messages: [user], tools: [tool], response: "9 degrees" }],
    ["a request", { request: { messages: [user], tools: [tool] }, response: { choices } }],
  ])("%s beside messages is what the agent said", (_, row) => {
    const { branch } = readBranch(source, row);
    expect([branch.task, branch.final_answer]).toEqual(["How warm is it?", "9 degrees"]);
    expect(branch.context).toEqual({ tools: [tool] });
  });

  test("how the response ended is read; its other choices are counted", () => {
    const { end, tally } = readBranch(source, { messages: [user], response: { choices } });
    expect([end?.kind, tally.describeUnread()]).toEqual(["cut", ["1 x /response/choices/*"]]);
  });

  test("an answer that the messages have is not said twice", () => {
    for (const messages of [
      [user, answer],
      [
        { type: "human", content: "9?" },
        { type: "ai", content: "9 degrees" },
      ],
    ]) {
      const { branch, tally } = readBranch(source, { messages, output: answer });
      expect([branch.final_answer, branch.turns]).toEqual(["9 degrees", undefined]);
      expect(tally.describeUnread()).toEqual(["1 x /output"]);
    }
  });
});

describe("groups", () => {
  const readAll = (rows: readonly JsonObject[], options: ReadOptions) =>
    readRows(source, rows, options).map((each) =>
      each.kind === "branch" ? [each.branch.rollout_id, each.branch.branch_index] : each.kind,
    );

  test("rows with the same value form a rollout, in input order", () => {
    const rows = [row(), row({ prompt_id: 7 }), row({ messages: [USER] }), row()];
    expect(readAll(rows, MAP)).toEqual([["p-1", 0], ["7", 0], "left-out", ["p-1", 1]]);
  });

  test("without a group in the map: a field that names one, an id that repeats, or the task", () => {
    const options = mapped("messages=/messages", { ...SETTINGS, idPrefix: "x-" });
    const byId = [0, 1].map((id) => row({ id, prompt_id: undefined }));
    expect(readAll([row(), row()], options)).toEqual([
      ["x-p-1", 0],
      ["x-p-1", 1],
    ]);
    expect(readAll([...byId, ...byId], options)).toEqual([
      ["x-0", 0],
      ["x-1", 0],
      ["x-0", 1],
      ["x-1", 1],
    ]);
    const [one, two] = readAll(byId, options);
    expect([one, two]).toEqual([
      [expect.stringMatching(/^x-task-[0-9a-f]{16}$/), 0],
      [one?.[0], 1],
    ]);
  });

  test("group=task: rows with the same task, context and tools", () => {
    const options = mapped("messages=/messages,tools=/tools,group=/id,group=task");
    const rows = [row(), row({ reward: 0 }), row({ tools: [] }), row({ id: "n" })];
    const [one, two, other, named] = readAll(rows, options).map(([rollout]) => rollout);
    expect(one).toMatch(/^task-[0-9a-f]{16}$/);
    expect([two, other === one, named]).toEqual([one, false, "n"]);
  });

  test("a value that is long or has spaces is hashed", () => {
    expect(branchOf({ prompt_id: "two words" }).rollout_id).toMatch(/^group-[0-9a-f]{16}$/);
  });

  test("a value that is no name is an error", () => {
    expect(faultsOf({ prompt_id: null })).toEqual([
      "/prompt_id must be a string or a number for the group; is null: map another place, or group=task (group-by)",
    ]);
    expect(
      faultsOf({ prompt_id: [] }, mapped("messages=/messages,group=/prompt_id,group=task")),
    ).toHaveLength(1);
  });
});

describe("rewards", () => {
  test.each<[unknown, string, number]>([
    [true, "pass", 10],
    [false, "fail", 0],
    [0.6, "pass", 6],
    [0.5, "fail", 5],
  ])("%s gives %s and %s, without options", (reward, status, score) => {
    expect(branchOf({ reward })).toMatchObject({ objective_status: status, judge_score: score });
  });

  test("that are missing, no numbers, or on another scale are errors that say what to do", () => {
    const rows = [undefined, "C", null, 7, Number.POSITIVE_INFINITY];
    expect(rows.map((reward) => faultsOf({ reward }))).toEqual([
      [
        "/reward the row has no reward at /reward: name its place by --map reward=<pointer> (metric-missing)",
      ],
      [
        '/reward the reward must be a number, true or false, is "C"; --pass-value names the word that passes (metric-type)',
      ],
      ["/reward the reward must be a number, true or false, is null (metric-type)"],
      [
        "/reward must be from 0 to 1 (--score-range), is 7: give the scale of your rewards by this option, and --objective (score-range)",
      ],
      [expect.stringMatching(/^\/reward must be from 0 to 1 \(--score-range\), is Infinity: /)],
    ]);
  });

  test("a number as text is that number; with --pass-value every word is read", () => {
    expect(branchOf({ reward: "1.0" })).toMatchObject({ objective_status: "pass" });
    expect(branchOf({ reward: "0.2" })).toMatchObject({ judge_score: 2 });
    const rewards = { objective: undefined, score: undefined, passValue: "C" };
    const words = mapped("messages=/messages,reward=/reward", { ...SETTINGS, rewards });
    const read = ["C", "I"].map((reward) => branchOf({ reward }, words).objective_status);
    expect(read).toEqual(["pass", "fail"]);
  });

  test("a row whose map is found may lack a reward; so may any if rewards come from elsewhere", () => {
    expect(branchOf({ reward: undefined }, {}).objective_status).toBeUndefined();
    expect(branchOf({ reward: 1 }, {}).objective_status).toBe("pass");
    const elsewhere = mapped("messages=/messages,reward=/reward", { mayLackReward: true });
    expect(branchOf({ reward: undefined }, elsewhere).objective_status).toBeUndefined();
  });

  test("options replace the default; other metrics are fields or JSON Pointers", () => {
    const score = { metric: "/note/s", range: [0, 4] as const };
    const rewards = { objective: parseObjective("reward>=3"), score };
    const options = mapped("messages=/messages,reward=/points", { ...SETTINGS, rewards });
    const branch = branchOf({ points: 3, note: { s: 1 } }, options);
    expect(branch).toMatchObject({ objective_status: "pass", judge_score: 2.5 });
    const named = { objective: parseObjective("a/b>0"), score: undefined };
    expect(
      branchOf({ "a/b": 0 }, mapped("messages=/messages", { ...SETTINGS, rewards: named })),
    ).toMatchObject({ objective_status: "fail" });
  });

  test("without a reward in the map branches have no verdict", () => {
    expect(branchOf({}, mapped("messages=/messages"))).not.toHaveProperty("objective_status");
  });
});

test("session, seed and temperature come from the row if it has them", () => {
  const options = mapped("messages=/messages,session=/s,seed=/n/seed,temperature=/n/t");
  expect(branchOf({ s: "s-1", n: { seed: 7, t: 0.5 } }, options)).toMatchObject({
    ...{ session_id: "s-1", seed: 7, temperature: 0.5 },
  });
  expect(branchOf({ s: null, n: { seed: null } }, options)).toMatchObject({ temperature: 1 });
  expect(faultsOf({ s: {}, n: { seed: 1.5, t: -1 } }, options)).toEqual([
    "/s must be a string or a number, is an object (type)",
    "/n/seed must be an integer, is 1.5 (type)",
    "/n/t must be a number from 0, is -1 (type)",
  ]);
});

describe("rows that are left out or faulty", () => {
  const kindOf = (messages: unknown) => {
    const [imported] = readRows(source, [row({ messages })], MAP);
    return imported?.kind === "left-out" ? imported.fault.message : imported?.kind;
  };

  test("no task, or an agent that neither answers nor calls", () => {
    expect(kindOf([SYSTEM, ANSWER])).toBe("no user message with text: no task");
    expect(kindOf([{ role: "user", content: " \n" }, ANSWER])).toContain("no task");
    expect(kindOf([USER])).toContain("gives no answer and calls no tool");
    expect(kindOf([USER, { role: "assistant", content: " " }])).toContain("gives no answer");
  });

  test("no messages", () => {
    expect(faultsOf({ messages: null })).toEqual([
      "/messages the row has no messages here: name their place by --map messages=<pointer> (required)",
    ]);
    expect(faultsOf({ messages: 7 })).toEqual([
      "/messages must be an array of messages, is 7 (type)",
    ]);
  });
});

test("pointers into a branch lead to the row", () => {
  const messages = [SYSTEM, USER, CALLING, RESULT, ANSWER, USER, ANSWER];
  const { branch, toSourcePointer } = readBranch(source, row({ messages }), MAP);
  const places: [string, string][] = [
    ["/task", "/messages/1/content"],
    ["/context/messages/0/content", "/messages/0/content"],
    ["/turns/1", "/messages/3"],
    ["/turns/2/content", "/messages/4/content"],
    ["/tool_call_sequence/0/data/args", "/messages/2/tool_calls/0"],
    ["/tool_call_sequence/1/data/output", "/messages/3"],
    ["/final_answer", "/messages/6/content"],
    ["/imported_from/record/note/kept", "/note/kept"],
    ["/imported_from/record/a~1b", "/a~1b"],
    ["/rollout_id", ""],
  ];
  for (const [pointer, place] of places) expect(toSourcePointer(pointer)).toBe(place);
  expect(resolvePointer(branch, "/turns/1")).toMatchObject(RESULT);
});

describe("messages that are parts of nodes", () => {
  const options = mapped("messages=/nodes/*/message,reward=/rewards/*");
  const toNodes = (list: readonly object[]) =>
    list.map((message, index) => ({
      parent: index === 0 ? null : index - 1,
      message,
      tokens: [1],
    }));
  const rewards = { a: { score: 1, weight: 0.75 }, b: null };

  test("are a conversation, and the nodes are not kept", () => {
    const nodes = toNodes([SYSTEM, USER, CALLING, RESULT, ANSWER]);
    const branch = branchOf({ nodes, rewards }, options);
    expect(branch).toMatchObject({
      task: USER.content,
      judge_score: 7.5,
      final_answer: ANSWER.content,
    });
    expect(branch.imported_from).not.toHaveProperty("record.nodes");
    const { toSourcePointer } = readBranch(source, row({ nodes, rewards }), options);
    expect(toSourcePointer("/task")).toBe("/nodes/1/message/content");
    expect(toSourcePointer("/tool_call_sequence/0")).toBe("/nodes/2/message/tool_calls/0");
  });

  test("must be a single line, each with a message", () => {
    const [first, ...others] = toNodes([USER, ANSWER, ANSWER]);
    const forked = [first, ...others.map((node) => ({ ...node, parent: 0 }))];
    expect(faultsOf({ nodes: forked, rewards }, options)).toEqual([
      "/nodes/2/parent the messages have several branches: only a single line of them can be imported (message-graph)",
    ]);
    expect(faultsOf({ nodes: [{ parent: null }], rewards }, options)).toEqual([
      "/nodes/0/message must be an object, is undefined (type)",
    ]);
  });

  test("a reward of another form is an error at the rewards", () => {
    const nodes = toNodes([USER, ANSWER]);
    expect(faultsOf({ nodes, rewards: { a: "good" } }, options)).toEqual([
      '/rewards the reward must be a number, true or false, is "good"; --pass-value names the word that passes (metric-type)',
    ]);
    expect(faultsOf({ nodes, rewards: {} }, options)[0]).toContain(
      "/rewards the row has no reward at /rewards/*",
    );
  });
});

test("the row is kept without what was read, wherever that is", () => {
  const options = mapped("messages=/data/turns,reward=/reward");
  const data = { turns: [USER, ANSWER], id: 7 };
  expect(branchOf({ data, messages: 1 }, options).imported_from).toMatchObject({
    record: { data: { id: 7 }, messages: 1, reward: 1 },
  });
});

test("whatever a row contains, reading it does not throw, and branches are valid", () => {
  const part = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.record(
      {
        type: fc.constantFrom("text", "tool_use", "tool_result", "x"),
        text: fc.string(),
        name: fc.string(),
      },
      { requiredKeys: [] },
    ),
  );
  const message = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.record(
      {
        role: fc.constantFrom(
          "system",
          "user",
          "assistant",
          "tool",
          "gpt",
          "function_call",
          "x",
          7,
        ),
        content: fc.oneof(
          fc.string(),
          fc.array(part, { maxLength: 3 }),
          fc.jsonValue({ maxDepth: 1 }),
        ),
        tool_calls: fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant([CALL])),
        tool_call_id: fc.oneof(fc.string(), fc.constant(null)),
        name: fc.string(),
      },
      { requiredKeys: ["role"] },
    ),
  );
  const rows = fc.record({
    messages: fc.oneof(fc.array(message, { maxLength: 5 }), fc.jsonValue()),
    tools: fc.jsonValue(),
    reward: fc.oneof(fc.boolean(), fc.jsonValue({ maxDepth: 0 })),
    prompt_id: fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 0 })),
  });
  fc.assert(
    fc.property(rows, (each) => {
      const [imported] = readRows(source, [JSON.parse(JSON.stringify(each))], MAP);
      if (imported?.kind !== "branch") return;
      expect(findErrors("RolloutBranch", imported.branch)).toEqual([]);
    }),
    { numRuns: runCount(5000) },
  );
});
