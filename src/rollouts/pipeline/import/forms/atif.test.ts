import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findErrors, ROLLOUT_BRANCH_SCHEMA_VERSION } from "#generated/index.js";
import { resolvePointer } from "../../../../base/json/pointer.js";
import type { JsonObject } from "../../../../base/json/value.js";
import { runCount } from "../../../../base/testing/run-count.js";
import { UserError } from "../../../../base/user-error.js";
import { taskHash } from "../../../wire/conversation/task-hash.js";
import { Supplements } from "../supplements.js";
import { findDisagreement } from "../testing/find-disagreement.js";
import {
  NO_VALUES,
  PLACE,
  type ReadOptions,
  readBranch,
  readRows,
  SETTINGS,
} from "../testing/read-row.js";
import { parseObjective } from "../verdicts/rewards.js";
import { atif } from "./atif.js";

const TASK = "Mend the build.";
const user = (message: unknown, fields: JsonObject = {}): JsonObject => ({
  source: "user",
  message,
  ...fields,
});
const agent = (message: unknown, fields: JsonObject = {}): JsonObject => ({
  source: "agent",
  message,
  ...fields,
});
const call = (id: string, name: string, args: unknown = {}): JsonObject => ({
  tool_call_id: id,
  function_name: name,
  arguments: args,
});

function trajectory(fields: JsonObject = {}): JsonObject {
  const steps = [user(TASK), agent("Mended.")];
  return {
    schema_version: "ATIF-v1.7",
    session_id: "s-1",
    agent: { name: "terminal-agent", version: "2.1.0" },
    steps,
    ...fields,
  };
}

const importedOf = (fields: JsonObject, options?: ReadOptions) =>
  readRows(atif, [trajectory(fields)], options)[0];

test("a trajectory becomes a branch that keeps its metadata", () => {
  const { branch } = readBranch(atif, trajectory({ extra: { reward: 1 } }));
  expect(findErrors("RolloutBranch", branch)).toEqual([]);
  const { steps: _, ...record } = trajectory({ extra: { reward: 1 } });
  expect(branch).toEqual({
    schema_version: ROLLOUT_BRANCH_SCHEMA_VERSION,
    rollout_id: `atif-${taskHash(TASK)}`,
    task: TASK,
    branch_index: 0,
    temperature: 1,
    session_id: "s-1",
    tool_call_sequence: [],
    final_answer: "Mended.",
    imported_from: { source: "atif", record },
  });
});

test("calls and observations become tool events; output that is more than text is kept unchanged", () => {
  const image = [
    { type: "text", text: "a" },
    { type: "image", source: { path: "a.png" } },
  ];
  const results = [
    { source_call_id: "c1", content: "ok" },
    { source_call_id: "c2", content: image },
    { content: [{ type: "text", text: "by itself" }] },
    { source_call_id: "c1", content: null },
  ];
  const steps = [
    { source: "system", message: "You work in a terminal." },
    user([
      { type: "text", text: "Mend " },
      { type: "text", text: "it." },
    ]),
    agent("I look.", {
      reasoning_content: "Hm.",
      tool_calls: [call("c1", "run", { command: "ls" }), call("c2", "shot")],
      observation: { results },
    }),
    agent(null),
    agent([{ type: "text", text: "Mended." }]),
  ];
  const { branch, toSourcePointer, warnings } = readBranch(atif, trajectory({ steps }));
  expect(findErrors("RolloutBranch", branch)).toEqual([]);
  expect(findDisagreement(branch)).toBeUndefined();
  expect(warnings).toEqual([]);
  expect(branch.task).toBe("Mend it.");
  expect(branch.final_answer).toBe("Mended.");
  expect(branch.context).toEqual({
    messages: [{ role: "system", content: "You work in a terminal." }],
  });
  expect(branch.turns).toMatchObject([
    { role: "assistant", content: "I look.", reasoning_content: "Hm." },
    { role: "tool", content: "ok", tool_call_id: "c1", name: "run" },
    { role: "tool", content: JSON.stringify(image), tool_call_id: "c2", name: "shot" },
    { role: "user", content: "by itself" },
    { role: "tool", content: "", tool_call_id: "c1" },
    { role: "assistant", content: "Mended." },
  ]);
  expect(branch.tool_call_sequence.map(({ data }) => data)).toEqual([
    { toolName: "run", args: { command: "ls" }, callId: "c1", batchId: "turn-0", text: "I look." },
    { toolName: "shot", args: {}, callId: "c2", batchId: "turn-0" },
    { callId: "c1", toolName: "run", output: "ok" },
    { callId: "c2", toolName: "shot", output: image },
    { callId: "c1", output: null },
  ]);
  expect(toSourcePointer("/tool_call_sequence/3")).toBe("/steps/2/observation/results/1");
  expect(toSourcePointer("/task")).toBe("/steps/1/message");
});

test.each<[string, number, string]>([
  ["EnvironmentStartTimeoutError", 0, "unknown"],
  ["AgentTimeoutError", 0, "fail"],
  ["AgentTimeoutError", 1, "pass"],
])("a trial of Harbor that ended in an %s, with the reward %j: %s", (type, reward, status) => {
  const result = {
    verifier_result: { rewards: { reward } },
    exception_info: { exception_type: type },
  };
  const place = {
    ...PLACE,
    readBeside: (path: string) =>
      path.endsWith("result.json") ? JSON.stringify(result) : undefined,
  };
  const read = atif
    .createReader(SETTINGS, NO_VALUES, [])
    .read(trajectory({ steps: [user("Mend it."), agent("Mended.")] }), place);
  const found = read.kind === "branch" && new Supplements().apply(read);
  expect(found).toMatchObject({ branch: { objective_status: status } });
});

test("the same words about two pictures are two tasks", () => {
  const asked = (path: string) => [
    user([
      { type: "text", text: "Which animal?" },
      { type: "image", source: { path } },
    ]),
    agent("A crane."),
  ];
  const rows = ["a.png", "b.png", "a.png"].map((path) => trajectory({ steps: asked(path) }));
  const ids = readRows(atif, rows).map((each) => each.kind === "branch" && each.branch.rollout_id);
  expect(new Set(ids).size).toBe(2);
  expect(ids[0]).toBe(ids[2]);
});

describe("copied context", () => {
  const copied = { is_copied_context: true };

  test("after the task is skipped and counted; the task is taken from it if there is no other", () => {
    const steps = [
      user(TASK, copied),
      agent("I read the log.", { ...copied, tool_calls: [call("c0", "cat")] }),
      agent("Mended."),
    ];
    const { branch, skippedSteps } = readBranch(atif, trajectory({ steps }));
    expect(branch).toMatchObject({ task: TASK, tool_call_sequence: [], final_answer: "Mended." });
    expect(skippedSteps).toBe(1);
  });

  test("is the context of a new task", () => {
    const steps = [user("Old.", copied), agent("Done.", copied), user("New."), agent("Mended.")];
    const { branch, skippedSteps } = readBranch(atif, trajectory({ steps }));
    expect(branch.task).toBe("New.");
    expect(branch.context?.messages).toEqual([
      { role: "user", content: "Old." },
      { role: "assistant", content: "Done." },
    ]);
    expect(skippedSteps).toBe(0);
  });

  test("holds the task if the agent goes on before the user speaks again", () => {
    const first = agent("I mend it.", { tool_calls: [call("c1", "run")] });
    const steps = [user(TASK, copied), first, user("Thanks?"), agent("Mended.")];
    const { branch } = readBranch(atif, trajectory({ steps }));
    expect(branch.task).toBe(TASK);
    expect(branch.turns?.map(({ content }) => content)).toEqual([
      "I mend it.",
      "Thanks?",
      "Mended.",
    ]);
    expect(branch.tool_call_sequence).toHaveLength(1);
  });

  test("alone yields no branch", () => {
    const steps = [user(TASK), agent("Done.", copied)];
    expect(importedOf({ steps })).toMatchObject({ kind: "left-out", fault: { id: "no-text" } });
  });
});

test.each<[JsonObject, string]>([
  [{ continued_trajectory_ref: "trajectory.cont-1.json" }, "continued"],
  [{ steps: [agent("Hello.")] }, "no-text"],
  [{ steps: [user(TASK)] }, "no-text"],
  [{ steps: [user(TASK), agent("")] }, "no-text"],
  [{ steps: [user(TASK), agent(undefined, { reasoning_content: "Hm." })] }, "no-text"],
])("%j is left out as %s", (fields, id) => {
  expect(importedOf(fields)).toMatchObject({ kind: "left-out", fault: { id } });
});

test("arguments may have other names, and a call without any causes a warning", () => {
  const calls = [
    { tool_call_id: "c1", function_name: "run", args: { command: "ls" } },
    { tool_call_id: "c2", function_name: "run" },
  ];
  const steps = [user(TASK), agent("Mended.", { tool_calls: calls })];
  const { branch, warnings } = readBranch(atif, trajectory({ steps }));
  expect(branch.tool_call_sequence.map(({ data }) => data?.args)).toEqual([{ command: "ls" }, {}]);
  expect(warnings).toMatchObject([{ id: "no-arguments", pointer: "/steps/1/tool_calls/1" }]);
});

test("a generated session_id has the prefix, too", () => {
  const { branch } = readBranch(atif, trajectory({ session_id: null }), {
    settings: { idPrefix: "run7-" },
  });
  expect(branch.session_id).toBe(`run7-atif-${taskHash(TASK)}/0`);
});

test("an omitted trajectory uses up no branch_index", () => {
  const silent = trajectory({ steps: [user(TASK), agent("")] });
  const [, second] = readRows(atif, [silent, trajectory()]);
  expect(second).toMatchObject({ branch: { branch_index: 0 } });
});

test("later user steps, system steps between and several answers are turns", () => {
  const image = { type: "image", source: { path: "a.png" } };
  const steps = [
    user(TASK),
    agent("Which one?"),
    user([{ type: "text", text: "The first." }, image]),
    { source: "system", message: "10 minutes left." },
    { source: "system", message: "" },
    agent("Mended.", { reasoning_content: "It was the cache." }),
  ];
  const { branch, warnings, toSourcePointer } = readBranch(atif, trajectory({ steps }));
  expect(findDisagreement(branch)).toBeUndefined();
  expect(branch.turns).toEqual([
    { role: "assistant", content: "Which one?" },
    { role: "user", content: "The first." },
    { role: "system", content: "10 minutes left." },
    { role: "assistant", content: "Mended.", reasoning_content: "It was the cache." },
  ]);
  expect(warnings).toMatchObject([{ id: "unplaced-message", pointer: "/steps/2/message/1" }]);
  expect(toSourcePointer("/turns/1/content")).toBe("/steps/2/message");
});

test("a task that the user repeats before the agent answers is one task, and turns begin after it", () => {
  const imported = importedOf({ steps: [user(TASK), user(TASK), agent("Mended.")] });
  if (imported?.kind !== "branch") throw new Error("no branch");
  const { task, context, turns } = imported.branch;
  expect([task, context?.messages?.map(({ content }) => content)]).toEqual([TASK, [TASK]]);
  expect(turns?.some(({ role }) => role === "user") ?? false).toBe(false);
});

test("the agent's tool definitions are the tools of the context", () => {
  const run = {
    type: "function",
    function: { name: "run", description: "Runs.", parameters: { type: "object" } },
  };
  const given = { name: "terminal-agent", version: "2.1.0" };
  const { branch, warnings } = readBranch(
    atif,
    trajectory({ agent: { ...given, tool_definitions: [run, { type: "web_search" }] } }),
  );
  expect(branch.context).toEqual({ tools: [run] });
  expect(branch.imported_from).toMatchObject({ record: { agent: given } });
  expect(branch.imported_from).not.toHaveProperty("record.agent.tool_definitions");
  expect(warnings).toMatchObject([
    { id: "unplaced-message", pointer: "/agent/tool_definitions/1" },
  ]);
});

test("a run that ends with reasoning causes a warning at its task", () => {
  const steps = [
    user(TASK),
    agent("", { tool_calls: [call("c1", "run")] }),
    agent("", { reasoning_content: "Done, I think." }),
  ];
  expect(readBranch(atif, trajectory({ steps })).warnings).toMatchObject([
    { id: "no-answer", pointer: "/steps/0" },
  ]);
});

test("trajectories of subagents are omitted with a warning", () => {
  const { branch, warnings } = readBranch(
    atif,
    trajectory({ subagent_trajectories: [trajectory({ trajectory_id: "sub-1" })] }),
  );
  expect(branch.imported_from).not.toHaveProperty("record.subagent_trajectories");
  expect(warnings).toEqual([
    {
      id: "subagent-trajectory",
      pointer: "/subagent_trajectories",
      message: "1 trajectory of a subagent left out",
      cause: "left out",
    },
  ]);
});

describe("grouping", () => {
  const rows = [
    trajectory({ session_id: "mend__a1", extra: { task_id: 7 } }),
    trajectory({ session_id: "mend__b2", extra: { task_id: 8 } }),
    trajectory({
      session_id: "paint__c3",
      extra: { task_id: 7 },
      steps: [user("Paint."), agent("Painted.")],
    }),
  ];
  const groups = (texts?: Record<string, string>) =>
    readRows(atif, rows, texts && { texts }).map((imported) => {
      if (imported.kind !== "branch") throw new Error(imported.kind);
      return [imported.branch.rollout_id, imported.branch.branch_index];
    });
  const expectGroups = (found: unknown[][], expected: string) => {
    const ids = [...new Set(found.map(([id]) => id))];
    expect(found.map(([id, index]) => `${ids.indexOf(id)}.${index}`).join(" ")).toBe(expected);
  };

  test("is by task by default", () => {
    expectGroups(groups(), "0.0 0.1 1.0");
    expect(groups({ groupBy: "task" })).toEqual(groups());
  });

  test("can be by a JSON Pointer", () => {
    expectGroups(groups({ groupBy: "/extra/task_id" }), "0.0 1.0 0.1");
  });

  test("can be by the beginning of that value", () => {
    expectGroups(groups({ groupBy: "/session_id", groupUntil: "__" }), "0.0 0.1 1.0");
  });

  test("the id does not depend on other imported trajectories", () => {
    const [alone] = readRows(atif, [trajectory()]);
    expect(alone).toMatchObject({ branch: { rollout_id: groups()[0]?.[0] } });
  });

  test("by a missing value is a fault", () => {
    expect(importedOf({}, { texts: { groupBy: "/extra/task" } })).toMatchObject({
      kind: "faulty",
      faults: [{ id: "group-by", pointer: "/extra/task" }],
    });
  });

  test("by anything but a pointer is a usage error", () => {
    expect(() => importedOf({}, { texts: { groupBy: "session_id" } })).toThrow(UserError);
  });
});

describe("rewards", () => {
  test.each(["reward>0", "/extra/reward>0", "steps>1", "score>0"])("%s passes", (condition) => {
    const rewards = { objective: parseObjective(condition), score: undefined };
    const fields = {
      extra: { reward: 0.5 },
      final_metrics: { steps: 2, extra: { score: 1 } },
    };
    expect(importedOf(fields, { settings: { rewards } })).toMatchObject({
      branch: { objective_status: "pass" },
    });
  });

  test("a range without the name of a reward is a usage error", () => {
    const rewards = { objective: undefined, score: { metric: undefined, range: [0, 1] as const } };
    expect(() => importedOf({}, { settings: { rewards } })).toThrow(UserError);
  });
});

describe("versions", () => {
  test.each(["ATIF-v1.0", "ATIF-v1.5", "ATIF-v1.8", "1.7"])("%s is read", (schema_version) => {
    expect(importedOf({ schema_version })).toMatchObject({ kind: "branch", warnings: [] });
  });

  test("a later 1.x is read with a warning", () => {
    expect(importedOf({ schema_version: "ATIF-v1.12" })).toMatchObject({
      kind: "branch",
      warnings: [{ id: "schema-version", pointer: "/schema_version" }],
    });
  });

  test.each(["ATIF-v2.0", "ATIF-v0.9", "ATIF", "", 1.7, undefined])(
    "%j is not",
    (schema_version) => {
      expect(importedOf({ schema_version })).toMatchObject({
        kind: "faulty",
        faults: [{ id: "schema-version", message: expect.stringContaining("ATIF-v1.0 to v1.8") }],
      });
    },
  );
});

test.each<[JsonObject, string, string]>([
  [{ agent: undefined }, "", 'lacks "agent"'],
  [{ agent: "x" }, "/agent", 'must be an object, is "x"'],
  [{ steps: undefined }, "", 'lacks "steps"'],
  [{ steps: [{ message: "a" }] }, "/steps/0", 'lacks "source"'],
  [
    { steps: [{ source: "robot" }] },
    "/steps/0/source",
    'must be system, user or agent, is "robot"',
  ],
  [{ steps: [user(3)] }, "/steps/0/message", "must be a string or an array of parts, is 3"],
  [
    { steps: [agent("", { tool_calls: [{ tool_call_id: "c" }] })] },
    "/steps/0/tool_calls/0",
    'lacks "function_name"',
  ],
  [
    { steps: [agent("", { observation: { results: [[]] } })] },
    "/steps/0/observation/results/0",
    "must be an object, is an empty array",
  ],
])("%j is a fault at %s", (fields, pointer, message) => {
  expect(importedOf(fields)).toMatchObject({ kind: "faulty", faults: [{ pointer, message }] });
});

test("any trajectory gives a branch that agrees with itself or a fault with a pointer, and nothing throws", () => {
  const some = <T>(arbitrary: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 30, arbitrary }, fc.anything());
  const text = fc.constantFrom("", " ", "a", "b");
  const id = fc.constantFrom("c1", "c2", "", null);
  const part = fc.oneof(
    fc.record({ type: fc.constantFrom("text", "image"), text }),
    fc.record({ type: fc.constantFrom("thinking", "tool_result"), thinking: text }),
  );
  const content = fc.oneof(text, fc.array(part), fc.constant(null));
  const args = fc.oneof(fc.record({ n: fc.integer() }), fc.constantFrom("{", '{"db": ":"}', null));
  const calls = fc.array(
    fc.record({ tool_call_id: id, function_name: fc.constantFrom("run", "look"), arguments: args }),
  );
  const results = fc.array(fc.record({ source_call_id: id, content }));
  const step = fc.record(
    {
      source: fc.constantFrom("system", "user", "agent"),
      message: some(content),
      reasoning_content: text,
      tool_calls: calls,
      observation: fc.record({ results }),
      is_copied_context: fc.boolean(),
    },
    { requiredKeys: ["source"] },
  );
  const tools = some(
    fc.array(
      fc.record({ name: fc.constantFrom("run", "look", ""), parameters: some(fc.constant({})) }),
    ),
  );
  const counts = { branch: 0, faulty: 0, "left-out": 0 };
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 2, maxLength: 8 }),
      tools,
      (steps, tool_definitions) => {
        const agent = { name: "a", tool_definitions };
        const given: JsonObject = JSON.parse(JSON.stringify(trajectory({ agent, steps })));
        const [imported] = readRows(atif, [given]);
        if (imported === undefined) throw new Error("nothing read");
        counts[imported.kind] += 1;
        if (imported.kind === "branch") {
          expect(findErrors("RolloutBranch", imported.branch)).toEqual([]);
          expect(findDisagreement(imported.branch)).toBeUndefined();
          for (const index of imported.branch.tool_call_sequence.keys()) {
            const pointer = imported.toSourcePointer(`/tool_call_sequence/${index}`);
            expect(resolvePointer(given, pointer)).toBeDefined();
          }
        }
        const found = imported.kind === "faulty" ? imported.faults : [];
        for (const { pointer } of found) expect(resolvePointer(given, pointer)).toBeDefined();
      },
    ),
    { numRuns: runCount(3000, 150) },
  );
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
});
