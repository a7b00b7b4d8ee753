import fc from "fast-check";
import { expect, test } from "vitest";
import { isMessage } from "#generated/index.js";
import { isJsonObject } from "../../../../base/json/value.js";
import { exportRollouts } from "../export-rollouts.js";
import { branchArbitrary } from "../testing/branch-arbitrary.js";
import { createBranch } from "../testing/create-branch.js";
import { createEvent } from "../testing/create-event.js";
import { createPair } from "../testing/create-pair.js";
import { createPreference } from "../testing/create-preference.js";
import { resolveExportOptions } from "./target.js";
import { trl } from "./trl.js";

const call = (id: string, args: object) => ({
  id,
  type: "function",
  function: { name: "add", arguments: args },
});

const PROMPT = [
  { role: "user", content: "What is 2+2?" },
  {
    role: "assistant",
    content: "Let me see.",
    tool_calls: [call("c1", { a: 2, b: 2 }), call("c2", { a: null })],
  },
  { role: "tool", content: '{"sum":4}', tool_call_id: "c1", name: "add" },
  { role: "tool", content: "", tool_call_id: "c2", name: "add" },
  { role: "assistant", content: "", tool_calls: [call("c3", { raw_arguments: '{"a": ' })] },
  { role: "tool", content: "no JSON", tool_call_id: "c3", name: "add" },
];

const provenance = {
  source: "wasmagent-rollout",
  rollout_id: "r-1",
  task_hash: "52cb6b5e4a038af1",
};

test("a pair is a conversational preference with its prompt", () => {
  expect(trl.toPreference(createPreference())).toEqual({
    prompt: PROMPT,
    chosen: [{ role: "assistant", content: "four" }],
    rejected: [{ role: "assistant", content: "" }],
    provenance: {
      ...provenance,
      chosen_branch: 0,
      rejected_branch: 1,
      total_score: { chosen: 1.15, rejected: 0.13 },
      divergence_turn: 3,
      common_prompt: "identical",
    },
  });
});

test("a branch is a prompt-completion with the normalised reward and all messages", () => {
  const options = resolveExportOptions({ weights: { objective: 1.15, judge: 1.15 } });
  expect(trl.toPpo(createPair().chosen, options)).toEqual({
    prompt: PROMPT.slice(0, 1),
    completion: [...PROMPT.slice(1), { role: "assistant", content: "four" }],
    reward: 0.5,
    provenance,
  });
});

test("a pair with an unanswered call in its prompt is omitted and counted; its rewards are not", () => {
  const unanswered = createEvent({ event: "tool_call", data: { toolName: "add", args: {} } });
  const branches = Object.values(createPair()).map((branch, index) =>
    createBranch({
      ...branch,
      tool_call_sequence: [unanswered],
      final_answer: `answer ${index}`,
    }),
  );
  const { dpo, ppo, notPaired } = exportRollouts(branches, { target: "trl" });
  expect([dpo.length, ppo.length, [...notPaired]]).toEqual([0, 2, [["unanswered-call", 1]]]);
});

test("a pair may part in a call; its arguments must then be an object", () => {
  const { chosen, rejected } = createPair();
  const partedAt = (args: unknown) => {
    const event = createEvent({ tool_name: "add", args, result: 4 });
    const branches = [
      { ...chosen, tool_call_sequence: [event] },
      { ...rejected, tool_call_sequence: [] },
    ];
    return exportRollouts(branches, { target: "trl" });
  };
  const { dpo } = partedAt({ a: 2 });
  expect(dpo).toMatchObject([
    {
      prompt: PROMPT.slice(0, 1),
      chosen: [{ role: "assistant", content: "", tool_calls: [call("call_0", { a: 2 })] }],
      rejected: [{ role: "assistant", content: "" }],
      provenance: { divergence_turn: 1 },
    },
  ]);
  expect([...partedAt('{"a": ').notPaired]).toEqual([["text-arguments", 1]]);
});

test("what the model saw before the task is part of the prompt, with its tools", () => {
  const system = { role: "system" as const, content: "Add." };
  const tools = [{ type: "function" as const, function: { name: "add", parameters: {} } }];
  const branches = Object.values(createPair()).map((branch) =>
    createBranch({ ...branch, context: { messages: [system], tools } }),
  );
  const { dpo, ppo } = exportRollouts(branches, { target: "trl" });
  expect(dpo).toMatchObject([
    { prompt: [system, ...PROMPT], tools, provenance: { divergence_turn: 3 } },
  ]);
  expect(ppo[0]).toMatchObject({ prompt: [system, PROMPT[0]], tools });
});

test("arguments are always objects", () => {
  fc.assert(
    fc.property(branchArbitrary, (branch) => {
      const { prompt, completion } = trl.toPpo(branch, resolveExportOptions());
      const whole = [...prompt, ...completion];
      expect(whole.filter((message) => !isMessage(message))).toEqual([]);
      const calls = whole.flatMap(({ tool_calls = [] }) => tool_calls);
      expect(calls.filter((each) => !isJsonObject(each.function.arguments))).toEqual([]);
    }),
  );
});
