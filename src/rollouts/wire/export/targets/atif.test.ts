import { describe, expect, test } from "vitest";
import type { Message } from "#generated/index.js";
import { BranchConversation } from "../../conversation/conversation.js";
import { createBranch } from "../testing/create-branch.js";
import { createEvent } from "../testing/create-event.js";
import { atif } from "./atif.js";

const call = (id: string) =>
  ({ id, type: "function", function: { name: "run", arguments: {} } }) as const;

const stepsOf = (turns: Message[], before: Message[] = []) =>
  atif.toPpo(createBranch({ task: "Fix it.", context: { messages: before }, turns })).steps;

test("a captured branch is a trajectory of an unknown agent", () => {
  const branch = createBranch({
    tool_call_sequence: [
      createEvent({ event: "tool_call", data: { toolName: "add", args: { a: 2 }, callId: "c1" } }),
      createEvent({ event: "tool_result", data: { callId: "c1", output: { sum: 4 } } }),
    ],
  });
  const { task, session_id, final_answer, rollout_id } = branch;
  expect(atif.toPpo(branch)).toEqual({
    schema_version: "ATIF-v1.7",
    session_id,
    agent: { name: "unknown", version: "unknown" },
    steps: [
      { step_id: 1, source: "user", message: task },
      {
        step_id: 2,
        source: "agent",
        message: "",
        tool_calls: [{ tool_call_id: "c1", function_name: "add", arguments: { a: 2 } }],
        observation: { results: [{ source_call_id: "c1", content: '{"sum":4}' }] },
      },
      { step_id: 3, source: "agent", message: final_answer },
    ],
    final_metrics: { total_steps: 3 },
    extra: {
      rollout_wire: { rollout_id, branch_index: 0, objective_score: 1, total_score: 1.15 },
    },
  });
});

test("what an import kept of a trajectory is written back, and nothing of another origin", () => {
  const record = {
    schema_version: "ATIF-v1.5",
    trajectory_id: "t-1",
    agent: { name: "terminal-agent", version: "2.1.0", model_name: "m", extra: { a: 1 } },
    notes: "By hand.",
    final_metrics: { total_cost_usd: 0.5, total_steps: 9 },
    extra: { reward: 0.5 },
    trial: { trial_name: "a__1" },
  };
  const context = {
    tools: [{ type: "function", function: { name: "run", parameters: {} } }] as const,
  };
  const fields = { context: { tools: [...context.tools] }, judge_score: 7 };
  const origin = { imported_from: { source: "atif", record } };
  const written = atif.toPpo(createBranch({ ...fields, ...origin }));
  expect(written).toMatchObject({
    ...{ trajectory_id: "t-1", notes: "By hand.", schema_version: "ATIF-v1.7" },
    agent: { ...record.agent, tool_definitions: context.tools },
    final_metrics: { total_cost_usd: 0.5, total_steps: 2 },
    extra: { reward: 0.5, rollout_wire: { judge_score: 7 } },
  });
  expect(written).not.toHaveProperty("trial");
  const other = { imported_from: { source: "messages", record } };
  const { extra, agent } = atif.toPpo(createBranch({ ...fields, ...other }));
  expect(Object.keys(extra)).toEqual(["rollout_wire"]);
  expect(agent.name).toBe("unknown");
});

test("turns of a model before the task are copied context, and so is what they answer", () => {
  const before: Message[] = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Old." },
    { role: "assistant", content: "Done." },
    { role: "user", content: "One more:" },
  ];
  const marked = stepsOf([{ role: "assistant", content: "Fixed." }], before);
  expect(marked.map((step) => [step.source, step.is_copied_context])).toEqual([
    ["system", undefined],
    ["user", true],
    ["agent", true],
    ["user", undefined],
    ["user", undefined],
    ["agent", undefined],
  ]);
});

test("reasoning is kept; a developer is a system", () => {
  const steps = stepsOf([
    { role: "assistant", content: "Which?", reasoning_content: "Hm." },
    { role: "developer", content: "The first." },
    { role: "assistant", content: "Fixed." },
  ]);
  expect(steps.slice(1)).toMatchObject([
    { source: "agent", reasoning_content: "Hm." },
    { source: "system", message: "The first." },
    { source: "agent" },
  ]);
});

describe("results", () => {
  const result = (content: string, id?: string): Message => ({
    role: "tool",
    content,
    ...(id !== undefined && { tool_call_id: id }),
  });
  const contentOf = (content: string) => {
    const calling: Message = { role: "assistant", content: "", tool_calls: [call("c1")] };
    return stepsOf([calling, result(content, "c1")])[1]?.observation?.results[0]?.content;
  };

  test("with a picture are parts again; any other text stays text", () => {
    const picture = { type: "image", source: { media_type: "image/png", path: "a.png" } };
    const parts = [{ type: "text", text: "Seen." }, picture];
    expect(contentOf(JSON.stringify(parts))).toEqual(parts);
    for (const text of [
      JSON.stringify([{ type: "text", text: "Seen." }]),
      JSON.stringify(parts, null, 1),
      JSON.stringify([{ ...picture, detail: "low" }]),
      JSON.stringify([{ type: "image", source: { media_type: "image/bmp", path: "a" } }]),
      JSON.stringify([{ type: "image", source: { media_type: "image/png", path: 1 } }]),
      "[{",
    ]) {
      expect(contentOf(text)).toBe(text);
    }
  });

  test.each<[string, Message[]]>([
    ["without an id", [result("4")]],
    ["of another call", [result("4", "c2")]],
    ["after someone else spoke", [{ role: "user", content: "Well?" }, result("4", "c1")]],
  ])("%s have no place, and the branch has no record", (_, after) => {
    const turns: Message[] = [
      { role: "assistant", content: "", tool_calls: [call("c1")] },
      ...after,
    ];
    const branch = createBranch({ turns });
    expect(atif.findUnrewarded(branch, new BranchConversation(branch))).toBe("stray-result");
    // Built all the same, it is what the system observed.
    expect(stepsOf(turns).at(-1)).toMatchObject({
      source: "system",
      observation: { results: [{ content: "4" }] },
    });
  });

  test("two of one call, and a call without any, have a place", () => {
    const turns: Message[] = [
      { role: "assistant", content: "", tool_calls: [call("c1"), call("c2")] },
      result("4", "c1"),
      result("5", "c1"),
    ];
    const branch = createBranch({ turns });
    expect(atif.findUnrewarded(branch, new BranchConversation(branch))).toBeUndefined();
    expect(stepsOf(turns)[1]?.observation?.results).toHaveLength(2);
  });
});
