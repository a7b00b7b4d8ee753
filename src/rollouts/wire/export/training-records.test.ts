import { describe, expect, test } from "vitest";
import { findErrors, type Open, type ToolEvent } from "#generated/index.js";
import { toMessages } from "../conversation/conversation.js";
import { createBranch } from "./testing/create-branch.js";
import {
  toDpoTrainingRecord,
  toPpoTrainingRecords,
  toTrainingProvenance,
} from "./training-records.js";

describe("toDpoTrainingRecord", () => {
  const chosen = createBranch({
    tool_call_sequence: [{ tool_name: "calc", args: { a: 2 }, error: "overflow" }],
  });
  const rejected = createBranch({
    branch_index: 1,
    final_answer: "five",
    objective_score: 0,
    rank: 2,
    total_score: 0.15,
  });

  test("conversation and label are those of the chosen branch", () => {
    const record = toDpoTrainingRecord([rejected, chosen]);
    expect(findErrors("DpoTrainingRecord", record)).toEqual([]);
    const messages = toMessages(chosen);
    expect(JSON.stringify(record)).toBe(
      JSON.stringify({
        messages,
        prompt_messages: messages.slice(0, 3),
        chosen: "four",
        rejected: "five",
        loss_weight_tokens: "recovery",
        provenance: {
          source: "wasmagent-rollout",
          rollout_id: "r-1",
          task_hash: "52cb6b5e4a038af1",
          chosen_branch: 0,
          rejected_branch: 1,
          total_score: { chosen: 1.15, rejected: 0.15 },
        },
      }),
    );
  });

  test("null without a pair", () => {
    expect(toDpoTrainingRecord([chosen])).toBeNull();
  });

  test("rejects branches of several rollouts", () => {
    expect(() => toDpoTrainingRecord([])).toThrow(TypeError);
  });
});

describe("toPpoTrainingRecords", () => {
  test("one record per branch by branch_index, with normalised reward", () => {
    const crashed = createBranch({ branch_index: 1, final_answer: "", rank: 2, total_score: 0.65 });
    const best = createBranch({ total_score: 1.3 });
    const records = toPpoTrainingRecords([crashed, best]);
    expect(records.flatMap((record) => findErrors("PpoTrainingRecord", record))).toEqual([]);
    expect(records.map(({ reward }) => reward)).toEqual([1, 0.5]);
    expect(JSON.stringify(records[1])).toBe(
      JSON.stringify({
        messages: toMessages(crashed),
        reward: 0.5,
        loss_weight_tokens: "default",
        provenance: {
          source: "wasmagent-rollout",
          rollout_id: "r-1",
          task_hash: "52cb6b5e4a038af1",
        },
      }),
    );
  });

  test("custom weights are normalised by their own maximum", () => {
    const [record] = toPpoTrainingRecords([createBranch({ total_score: 1 })], {
      weights: { objective: 3, judge: 1 },
    });
    expect(record?.reward).toBe(0.25);
  });

  test("rejects branches of several rollouts", () => {
    expect(() => toPpoTrainingRecords([])).toThrow(TypeError);
  });
});

describe("the loss weight label", () => {
  const label = (events: Open<ToolEvent>[], final_answer = "four") => {
    const branch = createBranch({ tool_call_sequence: events, final_answer });
    return toPpoTrainingRecords([branch])[0]?.loss_weight_tokens;
  };

  const good: Open<ToolEvent> = { tool_name: "get", args: {}, result: "x" };
  const bad: Open<ToolEvent> = { tool_name: "get", args: {}, result: "x", error: "down" };
  const said: Open<ToolEvent> = {
    tool_name: "get",
    args: {},
    result: "x",
    text: "So far so good.",
  };

  test("default without an error or text", () => {
    expect(label([])).toBe("default");
    expect(label([good, good])).toBe("default");
    expect(
      label([
        { ...good, error: null },
        { ...said, text: "" },
      ]),
    ).toBe("default");
  });

  test("recovery when calls or an answer follow an error", () => {
    expect(label([bad])).toBe("recovery");
    expect(label([bad, good], "")).toBe("recovery");
    expect(label([{ tool_name: "get", error: "no call of its own" }])).toBe("recovery");
  });

  test("an error that nothing follows is not a recovery", () => {
    expect(label([good, bad], "")).toBe("default");
  });

  test("state_summary if a call has text, unless there was a recovery", () => {
    expect(label([good, said])).toBe("state_summary");
    expect(label([said, bad])).toBe("recovery");
    expect(label([said, bad], "")).toBe("state_summary");
  });
});

describe("toTrainingProvenance", () => {
  test("names the rollout and hashes the task", () => {
    const provenance = toTrainingProvenance(createBranch());
    expect(findErrors("TrainingProvenance", provenance)).toEqual([]);
    expect(JSON.stringify(provenance)).toBe(
      '{"source":"wasmagent-rollout","rollout_id":"r-1","task_hash":"52cb6b5e4a038af1"}',
    );
  });
});

describe("a branch that recorded what the model saw", () => {
  const tools = [{ type: "function" as const, function: { name: "calc", parameters: {} } }];
  const recorded = createBranch({
    context: {
      messages: [
        { role: "user", content: "Hello." },
        { role: "assistant", content: "Hello." },
      ],
      tools,
    },
    turns: [
      { role: "assistant", content: "four", reasoning_content: "2 and 2." },
      { role: "user", content: "Thanks." },
    ],
  });
  const rejected = createBranch({ branch_index: 1, rank: 2, total_score: 0.1, final_answer: "5" });

  test("its records have the tools, and train on what the model wrote after the task", () => {
    const [reward] = toPpoTrainingRecords([recorded]);
    expect(findErrors("PpoTrainingRecord", reward)).toEqual([]);
    expect(reward?.tools).toEqual(tools);
    expect(reward?.messages.map(({ loss_mask }) => loss_mask)).toEqual([0, 0, 0, 1, 0]);
    expect(reward?.messages[3]?.reasoning_content).toBe("2 and 2.");
  });

  test("a pair ends with the final answer, whatever the user said after it", () => {
    const pair = toDpoTrainingRecord([recorded, rejected]);
    expect(findErrors("DpoTrainingRecord", pair)).toEqual([]);
    expect(pair?.messages.map(({ content }) => content).slice(2)).toEqual(["What is 2+2?", "four"]);
    expect(pair?.prompt_messages).toEqual(pair?.messages.slice(0, -1));
  });
});
