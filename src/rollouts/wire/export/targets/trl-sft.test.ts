import { expect, test } from "vitest";
import { exportRollouts } from "../export-rollouts.js";
import { createBranch } from "../testing/create-branch.js";
import { createEvent } from "../testing/create-event.js";
import { createPair } from "../testing/create-pair.js";

const call = (args: unknown) => createEvent({ tool_name: "add", args, result: 4 });

test("a demonstration is the whole conversation of the best branch", () => {
  const solved = createBranch({ tool_call_sequence: [call({ a: 2 })] });
  const { sft, dpo, ppo } = exportRollouts([solved, createPair().rejected], { target: "trl-sft" });
  expect([dpo, ppo]).toEqual([[], []]);
  expect(sft).toEqual([
    {
      messages: [
        { role: "user", content: "What is 2+2?" },
        {
          role: "assistant",
          content: "",
          tool_calls: [
            { id: "call_0", type: "function", function: { name: "add", arguments: { a: 2 } } },
          ],
        },
        { role: "tool", content: "4", tool_call_id: "call_0", name: "add" },
        { role: "assistant", content: "four" },
      ],
      provenance: {
        source: "wasmagent-rollout",
        rollout_id: "r-1",
        task_hash: "52cb6b5e4a038af1",
      },
    },
  ]);
});

test("rollouts that a model should not imitate are omitted and counted", () => {
  const branches = [
    createBranch({ rollout_id: "text", tool_call_sequence: [call('{"a": ')] }),
    createBranch({
      rollout_id: "unanswered",
      tool_call_sequence: [createEvent({ event: "tool_call", data: { toolName: "add" } })],
    }),
    createBranch({ rollout_id: "unsolved", objective_score: 0 }),
  ];
  const { sft, notDemonstrated } = exportRollouts(branches, { target: "trl-sft" });
  expect(sft).toEqual([]);
  expect(Object.fromEntries(notDemonstrated)).toEqual({
    "not-solved": 1,
    "text-arguments": 1,
    "unanswered-call": 1,
  });
});

test("a demonstration may end in a call that nothing answers, recorded as turns or as events", () => {
  const finish = {
    id: "c1",
    type: "function" as const,
    function: { name: "finish", arguments: {} },
  };
  const event = createEvent({
    event: "tool_call",
    data: { toolName: "finish", callId: "c1", args: {}, text: "Done." },
  });
  const turn = { role: "assistant" as const, content: "Done.", tool_calls: [finish] };
  for (const fields of [
    { tool_call_sequence: [event], final_answer: "" },
    { tool_call_sequence: [event], turns: [turn], final_answer: "" },
    { tool_call_sequence: [event], turns: [turn], final_answer: "Done." },
  ]) {
    const { sft } = exportRollouts([createBranch(fields)], { target: "trl-sft" });
    expect(sft).toMatchObject([{ messages: [{ role: "user", content: "What is 2+2?" }, turn] }]);
    expect(sft[0]?.messages).toHaveLength(2);
  }
});
