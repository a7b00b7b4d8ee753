import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findErrors, ROLLOUT_BRANCH_SCHEMA_VERSION } from "#generated/index.js";
import { resolvePointer } from "../../../../base/json/pointer.js";
import type { JsonObject } from "../../../../base/json/value.js";
import { findDisagreement } from "../testing/find-disagreement.js";
import { type ReadOptions, readBranch, readRows, SETTINGS } from "../testing/read-row.js";
import { parseObjective } from "../verdicts/rewards.js";
import { tinker } from "./tinker.js";

type Message = Record<string, unknown>;

const user = (content: unknown): Message => ({ role: "user", content });
const assistant = (content: unknown, ...tool_calls: object[]): Message => ({
  role: "assistant",
  content,
  ...(tool_calls.length > 0 && { tool_calls }),
});
const call = (id: string | null, name: string, args: unknown): object => ({
  type: "function",
  id,
  function: { name, arguments: args },
});
const conversation = (messages: readonly Message[]) => ({ type: "conversation", messages });

function step(prompt: readonly Message[], response: readonly Message[]): JsonObject {
  return {
    step_idx: 0,
    reward: 1,
    trace: { prompt: conversation(prompt), policy_response: conversation(response) },
  };
}

const QUESTION = user("What is 2+2?");

function row(fields: JsonObject = {}): JsonObject {
  return {
    schema_version: 1,
    split: "train",
    iteration: 12,
    group_idx: 3,
    traj_idx: 1,
    total_reward: 1,
    final_reward: 0.5,
    trajectory_metrics: { correct: 1, solved: true, "a/b": 2 },
    steps: [step([QUESTION], [assistant("4")])],
    ...fields,
  };
}

const faultsOf = (fields: JsonObject, options?: ReadOptions) => {
  const [imported] = readRows(tinker, [row(fields)], options);
  return imported?.kind === "faulty" ? imported.faults : imported;
};

test("a row becomes a branch of its group that keeps its metadata", () => {
  const { branch, warnings } = readBranch(tinker, row({ note: [1] }));
  expect(findErrors("RolloutBranch", branch)).toEqual([]);
  const { steps: _, ...record } = row({ note: [1] });
  expect(branch).toEqual({
    schema_version: ROLLOUT_BRANCH_SCHEMA_VERSION,
    rollout_id: "train-12-3",
    task: "What is 2+2?",
    branch_index: 1,
    temperature: 1,
    session_id: "train/12/3/1",
    tool_call_sequence: [],
    final_answer: "4",
    imported_from: { source: "tinker", record },
  });
  expect(warnings).toEqual([]);
});

test("prefix and temperature come from the user", () => {
  const settings = { idPrefix: "run7-", temperature: 0.6 };
  expect(readBranch(tinker, row(), { settings }).branch).toMatchObject({
    rollout_id: "run7-train-12-3",
    session_id: "run7-train/12/3/1",
    temperature: 0.6,
  });
});

test("what is before the task is its context; an image has no place", () => {
  const system = { role: "system", content: [{ type: "text", text: "Be brief." }] };
  const developer = { role: "developer", content: "Answer in digits." };
  const image = user([{ type: "image", image: "a.png" }]);
  const prompt = [system, image, developer, QUESTION];
  const found = readBranch(tinker, row({ steps: [step(prompt, [assistant("4")])] }));
  expect(found.branch.task).toBe("What is 2+2?");
  expect(found.branch.context).toEqual({
    messages: [{ role: "system", content: "Be brief." }, developer],
  });
  expect(found.warnings).toEqual([
    {
      id: "unplaced-message",
      pointer: "/steps/0/trace/prompt/messages/1/content/0",
      message: "1 part of the conversation left out: a branch has no field for images and the like",
      cause: "of the conversation left out: a branch has no field for images and the like",
    },
  ]);
  expect(found.toSourcePointer("/context/messages/1/content")).toBe(
    "/steps/0/trace/prompt/messages/2/content",
  );
});

describe("tools that a renderer declares", () => {
  const prefix = (content: unknown) => [{ role: "tool_declare", content }, QUESTION];
  const add = { name: "add", description: "Adds.", parameters: { type: "object" } };

  test("become the tools of the context", () => {
    const declared = JSON.stringify([{ type: "function", function: add }]);
    for (const content of [declared, [{ type: "text", text: declared }]]) {
      const steps = [step(prefix(content), [assistant("4")])];
      const { branch, warnings } = readBranch(tinker, row({ steps }));
      expect(branch.context).toEqual({ tools: [{ type: "function", function: add }] });
      expect(findErrors("RolloutBranch", branch)).toEqual([]);
      expect(warnings).toEqual([]);
    }
  });

  test("are merged if there are several declarations", () => {
    const declarations = ["add", "sub"].map((name) => ({
      role: "tool_declare",
      content: JSON.stringify([{ name, parameters: {} }]),
    }));
    const steps = [step([...declarations, QUESTION], [assistant("4")])];
    const { branch } = readBranch(tinker, row({ steps }));
    expect(branch.context?.tools?.map((tool) => tool.function.name)).toEqual(["add", "sub"]);
  });

  test("stay text if they are not declared as JSON", () => {
    const content = "namespace functions { type add = () => any; }";
    const { branch } = readBranch(
      tinker,
      row({ steps: [step(prefix(content), [assistant("4")])] }),
    );
    expect(branch.context).toEqual({ messages: [{ role: "system", content }] });
  });

  test("are left out with a warning if they are no functions", () => {
    const steps = [step(prefix('[{"type": "web_search"}]'), [assistant("4")])];
    const { branch, warnings } = readBranch(tinker, row({ steps }));
    expect(branch).not.toHaveProperty("context");
    expect(warnings).toMatchObject([
      { id: "unplaced-message", pointer: "/steps/0/trace/prompt/messages/0/content" },
    ]);
  });
});

test("reasoning stays with its message, and redacted reasoning is counted", () => {
  const thinking = { type: "thinking", thinking: "2+2=4" };
  const answer = assistant([
    thinking,
    { type: "redacted_thinking", data: "x" },
    { type: "text", text: "4" },
  ]);
  const { branch, warnings } = readBranch(tinker, row({ steps: [step([QUESTION], [answer])] }));
  expect(branch.turns).toEqual([{ role: "assistant", content: "4", reasoning_content: "2+2=4" }]);
  expect(branch.final_answer).toBe("4");
  expect(warnings).toMatchObject([{ id: "unplaced-message" }]);
});

describe("tool calls and results", () => {
  const probing = assistant(
    "I look.",
    call("c1", "probe", '{"port": 22}'),
    call("c2", "probe", {}),
  );
  const results = [
    { role: "tool", tool_call_id: "c2", name: "probe", content: "closed" },
    { role: "tool", tool_call_id: "c1", content: [{ type: "text", text: "open" }] },
  ];
  const steps = [
    step([QUESTION], [probing]),
    step([QUESTION, probing, ...results], [assistant("22 is open.")]),
  ];

  test("become events; the results are taken from the prompt of the next step", () => {
    const { branch, toSourcePointer, warnings } = readBranch(tinker, row({ steps }));
    expect(branch.tool_call_sequence.map(({ event, data }) => [event, data])).toEqual([
      [
        "tool_call",
        {
          toolName: "probe",
          args: { port: 22 },
          callId: "c1",
          batchId: "turn-0",
          text: "I look.",
        },
      ],
      ["tool_call", { toolName: "probe", args: {}, callId: "c2", batchId: "turn-0" }],
      ["tool_result", { callId: "c2", toolName: "probe", output: "closed" }],
      ["tool_result", { callId: "c1", toolName: "probe", output: "open" }],
    ]);
    expect(branch.final_answer).toBe("22 is open.");
    expect(warnings).toEqual([]);
    expect(toSourcePointer("/tool_call_sequence/1/data/args")).toBe(
      "/steps/0/trace/policy_response/messages/0/tool_calls/1",
    );
    expect(toSourcePointer("/tool_call_sequence/2")).toBe("/steps/1/trace/prompt/messages/2");
  });

  test("are read once if the response contains the results too", () => {
    const within = [
      step([QUESTION], [probing, ...results]),
      step([QUESTION, probing, ...results], [assistant("22 is open.")]),
    ];
    const [once, twice] = [steps, within].map(
      (each) => readBranch(tinker, row({ steps: each })).branch,
    );
    expect(twice).toEqual(once);
  });

  test("are read from the next prompt if the response was not traced", () => {
    const { trace, ...untraced } = steps[0] ?? {};
    const promptOnly = { ...untraced, trace: { ...Object(trace), policy_response: null } };
    const found = readBranch(tinker, row({ steps: [promptOnly, steps[1]] }));
    expect(found.branch.tool_call_sequence).toHaveLength(4);
    expect(found.branch.final_answer).toBe("22 is open.");
  });

  test("after the task in the first prompt begin the turns", () => {
    const given = [QUESTION, probing, ...results];
    const { branch, warnings } = readBranch(
      tinker,
      row({ steps: [step(given, [assistant("22.")])] }),
    );
    expect(branch).toEqual(
      readBranch(tinker, row({ steps: [steps[0], step(given, [assistant("22.")])] })).branch,
    );
    expect(warnings).toEqual([]);
  });

  test("without ids are paired in order", () => {
    const asking = assistant("", call(null, "probe", '{"port": '));
    const { branch } = readBranch(
      tinker,
      row({
        steps: [
          step([QUESTION], [asking]),
          step([QUESTION, asking, { role: "tool", content: "no JSON" }], [assistant("I give up.")]),
        ],
      }),
    );
    expect(branch.tool_call_sequence.map(({ data }) => data)).toEqual([
      { toolName: "probe", args: '{"port": ', callId: "call_0", batchId: "turn-0" },
      { callId: "call_0", toolName: "probe", output: "no JSON" },
    ]);
  });

  test("are also read in OpenAI's older format", () => {
    const asking = {
      ...assistant(null),
      function_call: { name: "probe", arguments: '{"port": 22}' },
    };
    const { branch, toSourcePointer } = readBranch(
      tinker,
      row({ steps: [step([QUESTION], [asking]), step([QUESTION, asking], [assistant("4")])] }),
    );
    expect(branch.tool_call_sequence).toMatchObject([
      { event: "tool_call", data: { toolName: "probe", args: { port: 22 } } },
    ]);
    expect(toSourcePointer("/tool_call_sequence/0")).toBe(
      "/steps/0/trace/policy_response/messages/0/function_call",
    );
  });

  test.each<[string, object]>([
    ["args", { id: "c1", name: "probe", args: { port: 22 } }],
    ["input", { id: "c1", name: "probe", input: { port: 22 } }],
    ["parameters", { id: "c1", name: "probe", parameters: '{"port": 22}' }],
    ["args of a function", { id: "c1", function: { name: "probe", args: { port: 22 } } }],
  ])("have their arguments under %s too", (_, asking) => {
    const found = readBranch(tinker, row({ steps: [step([QUESTION], [assistant("4", asking)])] }));
    expect(found.branch.tool_call_sequence).toMatchObject([
      { data: { toolName: "probe", callId: "c1", args: { port: 22 } } },
    ]);
    expect(found.warnings).toEqual([]);
  });

  test.each([{ db: ":memory:" }, { path: "C:\\:x", note: 'say ":" twice' }])(
    "have the arguments %j even as text: a colon in a value is no key",
    (args) => {
      const asking = assistant("4", call("c1", "open", JSON.stringify(args)));
      const { branch } = readBranch(tinker, row({ steps: [step([QUESTION], [asking])] }));
      expect(branch.tool_call_sequence[0]?.data?.args).toEqual(args);
    },
  );

  test("without arguments under a known name cause a warning at the first one", () => {
    const asking = assistant(
      "4",
      { name: "probe", arguments: null },
      { name: "probe", argv: ["22"] },
      { function: { name: "probe" } },
    );
    const { branch, warnings } = readBranch(tinker, row({ steps: [step([QUESTION], [asking])] }));
    expect(branch.tool_call_sequence.map(({ data }) => data?.args)).toEqual([{}, {}, {}]);
    expect(warnings).toEqual([
      {
        id: "no-arguments",
        pointer: "/steps/0/trace/policy_response/messages/0/tool_calls/1",
        message: "2 calls without arguments: read as {}",
        cause: "without arguments: read as {}",
      },
    ]);
  });

  test("are read from message parts, as Anthropic and LangChain write them", () => {
    const asking = assistant([
      { type: "text", text: "I look." },
      { type: "tool_use", id: "c1", name: "probe", input: { port: 22 } },
      { type: "tool_call", id: "c2", name: "probe", args: { port: 80 } },
    ]);
    const image = [{ type: "image", source: { data: "aGk=" } }];
    const told = user([
      { type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "open" }] },
      { type: "tool_result", tool_use_id: "c2", content: "no route", is_error: true },
      { type: "tool_result", tool_use_id: "c1", content: image },
    ]);
    const { branch, toSourcePointer, warnings } = readBranch(
      tinker,
      row({
        steps: [step([QUESTION], [asking]), step([QUESTION, asking, told], [assistant("22.")])],
      }),
    );
    expect(branch.tool_call_sequence.map(({ data }) => data)).toEqual([
      { toolName: "probe", args: { port: 22 }, callId: "c1", batchId: "turn-0", text: "I look." },
      { toolName: "probe", args: { port: 80 }, callId: "c2", batchId: "turn-0" },
      { callId: "c1", toolName: "probe", output: "open" },
      { callId: "c2", toolName: "probe", output: "no route", error: "no route" },
      { callId: "c1", output: image },
    ]);
    expect(warnings).toEqual([]);
    expect(toSourcePointer("/tool_call_sequence/1")).toBe(
      "/steps/0/trace/policy_response/messages/0/content/2",
    );
    expect(toSourcePointer("/tool_call_sequence/3")).toBe(
      "/steps/1/trace/prompt/messages/2/content/1",
    );
  });

  test("a result that is more than text is kept unchanged, also in a message of the tool", () => {
    const asking = assistant("", call("c1", "look", {}));
    const shot = [{ type: "image", image: "a.png" }];
    const result = { role: "tool", tool_call_id: "c1", content: shot };
    const steps = [step([QUESTION], [asking]), step([QUESTION, asking, result], [assistant("4")])];
    const { branch, warnings } = readBranch(tinker, row({ steps }));
    expect(branch.tool_call_sequence[1]?.data).toEqual({
      callId: "c1",
      toolName: "look",
      output: shot,
    });
    expect(branch).not.toHaveProperty("turns");
    expect(warnings).toEqual([]);
  });

  test("user text beside a result is a turn of its own", () => {
    const asking = assistant([{ type: "tool_use", id: "c1", name: "probe", input: {} }]);
    const told = user([
      { type: "tool_result", tool_use_id: "c1" },
      { type: "text", text: "Go on." },
    ]);
    const { branch, warnings } = readBranch(
      tinker,
      row({
        steps: [step([QUESTION], [asking]), step([QUESTION, asking, told], [assistant("22.")])],
      }),
    );
    expect(branch.tool_call_sequence[1]?.data).toMatchObject({ callId: "c1", output: null });
    expect(branch.turns).toMatchObject([
      { role: "assistant", content: "" },
      { role: "tool", content: "", tool_call_id: "c1", name: "probe" },
      { role: "user", content: "Go on." },
      { role: "assistant", content: "22." },
    ]);
    expect(warnings).toEqual([]);
  });

  test("are read once if they are in a part and in a field", () => {
    const called = call("c1", "probe", '{"port": 22}');
    const parts = [
      { type: "text", text: "I look." },
      { type: "tool_call", tool_call: called },
    ];
    const steps = [step([QUESTION], [assistant(parts, called)])];
    const { branch } = readBranch(tinker, row({ steps }));
    expect(branch.tool_call_sequence).toHaveLength(1);
    const twice = [step([QUESTION], [assistant("I look.", called, called)])];
    expect(readBranch(tinker, row({ steps: twice })).branch.tool_call_sequence).toHaveLength(2);
  });

  const raw = '<tool_call>{"name": </tool_call>';
  const unparsed_tool_calls = [{ raw_text: raw, error: "no JSON" }];
  const part = { type: "unparsed_tool_call", raw_text: raw, error: "no JSON" };
  const text = { type: "text", text: "I look." };

  test.each<[string, Message, string]>([
    ["a field", { content: "I look.", unparsed_tool_calls }, `I look.\n${raw}`],
    ["a field alone", { content: "", unparsed_tool_calls }, raw],
    ["a field, without content", { unparsed_tool_calls }, raw],
    ["a part", { content: [part, text] }, `${raw}I look.`],
    ["both", { content: [text, part], unparsed_tool_calls }, `I look.${raw}`],
  ])("that did not parse stay text: in %s", (_, fields, said) => {
    const steps = [step([QUESTION], [{ role: "assistant", ...fields }])];
    const { branch, warnings } = readBranch(tinker, row({ steps }));
    expect(branch.final_answer).toBe(said);
    expect(warnings).toEqual([]);
  });

  test("that did not parse are left out with a warning if the log does not hold their text", () => {
    const broken = { ...assistant("4"), unparsed_tool_calls: [{ error: "no JSON" }] };
    expect(readBranch(tinker, row({ steps: [step([QUESTION], [broken])] })).warnings).toMatchObject(
      [{ pointer: "/steps/0/trace/policy_response/messages/0/unparsed_tool_calls" }],
    );
  });
});

test("roles may have other names: human, ai, and function for tool", () => {
  const human = { role: "human", content: "What is 2+2?" };
  const asking = { role: "ai", content: "", function_call: { name: "add", arguments: "{}" } };
  const result = { role: "function", name: "add", content: "4" };
  const { branch, warnings } = readBranch(
    tinker,
    row({
      steps: [
        step([human], [asking]),
        step([human, asking, result], [{ role: "ai", content: "It is 4." }]),
      ],
    }),
  );
  expect(branch).toMatchObject({ task: "What is 2+2?", final_answer: "It is 4." });
  expect(branch.tool_call_sequence.map(({ data }) => data)).toMatchObject([
    { toolName: "add", args: {} },
    { toolName: "add", output: "4" },
  ]);
  expect(warnings).toEqual([]);
});

test("later user messages and several answers are turns", () => {
  const steps = [
    step([QUESTION], [assistant("5")]),
    step([QUESTION, assistant("5"), user("Are you sure?")], [assistant("4")]),
  ];
  const { branch, warnings, toSourcePointer } = readBranch(tinker, row({ steps }));
  expect(branch.turns).toEqual([assistant("5"), user("Are you sure?"), assistant("4")]);
  expect(branch.final_answer).toBe("4");
  expect(warnings).toEqual([]);
  expect(toSourcePointer("/turns/1/content")).toBe("/steps/1/trace/prompt/messages/2/content");
});

test("a prompt without the agent's messages repeats the first prompt, and may add to it", () => {
  const system = { role: "system", content: "Be brief." };
  const prompt = [system, QUESTION];
  const steps = [step(prompt, [assistant("5")]), step([...prompt, user("No.")], [assistant("4")])];
  const { branch } = readBranch(tinker, row({ steps }));
  expect(branch.context).toEqual({ messages: [system] });
  expect(branch.turns).toEqual([assistant("5"), user("No."), assistant("4")]);
});

test.each<[string, JsonObject | undefined]>([
  ["not traced", undefined],
  ["traced without its prompt", { policy_response: conversation([assistant("5")]) }],
])("if the first step is %s, the next prompt records it", (_, trace) => {
  const later = step([QUESTION, assistant("5"), user("Are you sure?")], [assistant("4")]);
  const { branch } = readBranch(tinker, row({ steps: [{ step_idx: 0, trace }, later] }));
  expect(branch.task).toBe("What is 2+2?");
  expect(branch.turns).toEqual([assistant("5"), user("Are you sure?"), assistant("4")]);
});

test("a prompt that is a conversation ends with the task; the rest of it is the context", () => {
  const before = [user("What is 1+1?"), assistant("2")];
  const steps = [step([...before, QUESTION], [assistant("4")])];
  const { branch, toSourcePointer } = readBranch(tinker, row({ steps }));
  expect(branch).toMatchObject({ task: "What is 2+2?", context: { messages: before } });
  expect(branch).not.toHaveProperty("turns");
  expect(toSourcePointer("/task")).toBe("/steps/0/trace/prompt/messages/2/content");
});

test.each([
  ["a beginning of the answer", [QUESTION, assistant("It is")]],
  ["a greeting of the agent's", [assistant("Hello."), QUESTION]],
])("a prompt with %s has one task", (_, prompt) => {
  const { branch } = readBranch(tinker, row({ steps: [step(prompt, [assistant("4")])] }));
  expect(branch).toMatchObject({ task: "What is 2+2?", final_answer: "4" });
});

test("a run with calls but no answer causes a warning at its task", () => {
  const asking = assistant("", call("c1", "probe", {}));
  const result = { role: "tool", tool_call_id: "c1", content: "open" };
  const steps = [step([QUESTION], [asking]), step([QUESTION, asking, result], [assistant("  ")])];
  const { branch, warnings } = readBranch(tinker, row({ steps }));
  expect(branch.tool_call_sequence).toHaveLength(2);
  expect(warnings).toEqual([
    {
      id: "no-answer",
      pointer: "/steps/0/trace/prompt/messages/0",
      message: "the agent says nothing after its task: the final answer is empty",
    },
  ]);
});

test.each<[string, unknown]>([
  ["no traces", [{ step_idx: 0 }, { step_idx: 1, trace: null }]],
  ["no steps", []],
  ["no response", [{ trace: { prompt: conversation([QUESTION]) } }]],
  ["no conversation", [{ trace: { prompt: { type: "tokens", ids: [1] }, policy_response: {} } }]],
  ["no user", [step([{ role: "system", content: "Hi." }], [assistant("4")])]],
  ["no text of a user", [step([user("")], [assistant("4")])]],
  ["no message of the agent's", [step([QUESTION], [])]],
  ["an empty answer", [step([QUESTION], [assistant("")])]],
  [
    "an empty answer after the beginning of one",
    [step([QUESTION, assistant("It")], [assistant("")])],
  ],
  ["a blank answer", [step([QUESTION], [assistant(" \n")])]],
  ["reasoning alone", [step([QUESTION], [assistant([{ type: "thinking", thinking: "Hm." }])])]],
  ["an answer of nobody's", [step([QUESTION], [{ role: "narrator", content: "4" }])]],
  ["a result that nobody asked for", [step([QUESTION], [{ role: "tool", content: "4" }])]],
])("a row with %s is left out as no-text", (_, steps) => {
  expect(readRows(tinker, [row({ steps })])).toMatchObject([
    { kind: "left-out", fault: { id: "no-text" } },
  ]);
});

describe("traces", () => {
  const traced = {
    ...step([QUESTION], [assistant("4")]),
    ob_len: 9,
    trace: {
      prompt: conversation([QUESTION]),
      policy_response: conversation([assistant("4")]),
      reward_data: { correct: 1 },
      env_state: null,
    },
  };

  test("are kept on request, each step with its known parts", () => {
    const { branch, toSourcePointer } = readBranch(
      tinker,
      row({ steps: [traced, { ob_len: 1 }] }),
      {
        flags: ["traces"],
      },
    );
    const { env_state: _, ...parts } = traced.trace;
    expect(branch.steps).toEqual([{ step_idx: 0, reward: 1, ob_len: 9, ...parts }, { ob_len: 1 }]);
    expect(findErrors("RolloutBranch", branch)).toEqual([]);
    expect(toSourcePointer("/steps/0/prompt/messages")).toBe("/steps/0/trace/prompt/messages");
  });

  test("are dropped otherwise", () => {
    expect(readBranch(tinker, row({ steps: [traced] })).branch).not.toHaveProperty("steps");
  });

  test("that are invalid are a fault with its pointer", () => {
    const steps = [{ ...traced, trace: { ...traced.trace, reward_data: 1 } }];
    expect(faultsOf({ steps }, { flags: ["traces"] })).toEqual([
      {
        id: "type",
        pointer: "/steps/0/trace/reward_data",
        message: "must be an object, is 1",
        cause: "must be an object",
      },
    ]);
  });
});

describe("evaluations", () => {
  const splits = ["eval", "eval/gsm8k", "test", "Eval", "val", "dev", "validation", "heldout_eval"];

  test.each(splits)("rows of the split %j are rejected", (split) => {
    expect(faultsOf({ split })).toMatchObject([{ id: "eval-rollouts", pointer: "/split" }]);
    const [allowed] = readRows(tinker, [row({ split })], { flags: ["allowEval"] });
    expect(allowed?.kind).toBe("branch");
  });

  test("the fault names the word and where it was found", () => {
    const advice = "training on it is contamination; --allow-eval imports it anyway";
    expect(faultsOf({ split: "train-val" })).toMatchObject([
      {
        message: `belongs to an evaluation, by the word "val" in the split "train-val": ${advice}`,
      },
    ]);
    const reader = tinker.createReader(
      SETTINGS,
      {
        flag: () => false,
        optionalText: () => undefined,
      },
      [],
    );
    expect(reader.refuseFile("eval_5/train.jsonl")?.message).toBe(
      `belongs to an evaluation, by the word "eval" in the name of its folder, "eval_5": ${advice}`,
    );
    expect(reader.refuseFile("runs/dev.jsonl")?.message).toBe(
      `belongs to an evaluation, by the word "dev" in its name, "dev.jsonl": ${advice}`,
    );
  });

  test.each([
    ["runs/1/eval_gsm8k_rollout_summaries.jsonl", true],
    ["test_rollout_summaries.jsonl.gz", true],
    ["my_eval_rollout_summaries.jsonl", true],
    ["heldout.jsonl", true],
    ["eval_5/train_rollout_summaries.jsonl", true],
    ["eval_5/iteration_000001/train_rollout_summaries.jsonl", false],
    ["train_rollout_summaries.jsonl", false],
    ["-", false],
  ])("the file %j: refused is %j", (file, refused) => {
    const create = (flag: boolean) =>
      tinker.createReader(SETTINGS, { flag: () => flag, optionalText: () => undefined }, []);
    expect(create(false).refuseFile(file)?.id).toBe(refused ? "eval-rollouts" : undefined);
    expect(create(true).refuseFile(file)).toBeUndefined();
  });
});

describe("rewards", () => {
  test.each([
    ["reward>=1", "pass"],
    ["total_reward>1", "fail"],
    ["final_reward=0.5", "pass"],
    ["correct=1", "pass"],
    ["solved=1", "pass"],
    ["a/b=2", "pass"],
    ["/trajectory_metrics/a~1b<2", "fail"],
    ["/steps/0/reward=1", "pass"],
  ])("%s: %s", (condition, status) => {
    const rewards = { objective: parseObjective(condition), score: undefined };
    expect(readBranch(tinker, row(), { settings: { rewards } }).branch).toMatchObject({
      objective_status: status,
      scored_by: { objective: condition },
    });
  });

  test.each(["format=1", "toString=1", "/nothing=1"])(
    "%s names no metric: a fault",
    (condition) => {
      const rewards = { objective: parseObjective(condition), score: undefined };
      expect(faultsOf({}, { settings: { rewards } })).toMatchObject([{ id: "metric-missing" }]);
    },
  );
});

test.each<[JsonObject, string, string]>([
  [{ schema_version: 2 }, "/schema_version", "2 is not supported: supported is 1"],
  [
    { schema_version: undefined },
    "",
    'lacks "schema_version": not a rollout summary; supported is 1',
  ],
  [{ split: undefined }, "", 'lacks "split"'],
  [{ split: 1 }, "/split", "must be a string, is 1"],
  [{ iteration: -1 }, "/iteration", "must be a non-negative integer, is -1"],
  [{ group_idx: 1.5 }, "/group_idx", "must be a non-negative integer, is 1.5"],
  [{ traj_idx: null }, "", 'lacks "traj_idx"'],
  [{ steps: {} }, "/steps", "must be an array, is an object"],
  [{ steps: [1] }, "/steps/0", "must be an object, is 1"],
  [{ steps: [{ trace: [] }] }, "/steps/0/trace", "must be an object, is an empty array"],
  [{ steps: [step([{ content: "a" }], [])] }, "/steps/0/trace/prompt/messages/0", 'lacks "role"'],
  [
    { steps: [step([user(7)], [])] },
    "/steps/0/trace/prompt/messages/0/content",
    "must be a string or an array of parts, is 7",
  ],
  [
    { steps: [step([QUESTION], [assistant("", { function: {} })])] },
    "/steps/0/trace/policy_response/messages/0/tool_calls/0/function",
    'lacks "name"',
  ],
])("%j is a fault at %s", (fields, pointer, message) => {
  expect(faultsOf(fields)).toMatchObject([{ pointer, message }]);
});

test("any row gives a valid branch or a fault with a pointer, and nothing throws", () => {
  const message = fc.record(
    {
      role: fc.constantFrom("user", "assistant", "tool", "system", "x"),
      content: fc.oneof(fc.string(), fc.constant(null), fc.array(fc.anything())),
      tool_calls: fc.array(fc.oneof(fc.anything(), fc.constant(call("a", "b", "{}")))),
    },
    { requiredKeys: ["role"] },
  );
  const messages = fc.record({ messages: fc.array(message) });
  const steps = fc.array(
    fc.record(
      {
        trace: fc.oneof(
          fc.anything(),
          fc.record({ prompt: messages, policy_response: messages, extra: fc.anything() }),
        ),
      },
      { requiredKeys: [] },
    ),
  );
  const rows = fc.record({ steps: fc.oneof(steps, fc.anything()), split: fc.constant("train") });
  fc.assert(
    fc.property(rows, fc.boolean(), (fields, traces) => {
      const given: JsonObject = JSON.parse(JSON.stringify(row(fields)));
      const [imported] = readRows(tinker, [given], { flags: traces ? ["traces"] : [] });
      if (imported?.kind === "branch") {
        expect(findErrors("RolloutBranch", imported.branch)).toEqual([]);
        expect(findDisagreement(imported.branch)).toBeUndefined();
        for (const index of imported.branch.tool_call_sequence.keys()) {
          const pointer = imported.toSourcePointer(`/tool_call_sequence/${index}`);
          expect(resolvePointer(given, pointer)).toBeDefined();
        }
      } else if (imported?.kind === "faulty") {
        expect(imported.faults.length).toBeGreaterThan(0);
        for (const { pointer } of imported.faults) {
          expect(resolvePointer(given, pointer)).toBeDefined();
        }
      }
    }),
  );
});
