import fc from "fast-check";
import { expect, test } from "vitest";
import { isMessage } from "#generated/index.js";
import { isJsonObject } from "../../json/value.js";
import { exportRollouts } from "../export-rollouts.js";
import { branchArbitrary } from "../testing/branch-arbitrary.js";
import { createBranch } from "../testing/create-branch.js";
import { createEvent } from "../testing/create-event.js";
import { createPair } from "../testing/create-pair.js";
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
  expect(trl.toDpo(createPair())).toEqual({
    prompt: PROMPT,
    chosen: [{ role: "assistant", content: "four" }],
    rejected: [{ role: "assistant", content: "" }],
    provenance,
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

test("a pair with an unanswered call is omitted and counted; its rewards are not", () => {
  const unanswered = createEvent({ event: "tool_call", data: { toolName: "add", args: {} } });
  const { chosen, rejected } = createPair();
  const crashed = createBranch({ ...chosen, tool_call_sequence: [unanswered] });
  const { dpo, ppo, notPaired } = exportRollouts([crashed, rejected], { target: "trl" });
  expect([dpo.length, ppo.length, [...notPaired]]).toEqual([0, 2, [["unanswered-call", 1]]]);
});

test("arguments are always objects, and a prompt always ends where the model continues", () => {
  let pairs = 0;
  fc.assert(
    fc.property(branchArbitrary, branchArbitrary, (chosen, rejected) => {
      const reward = trl.toPpo(chosen, resolveExportOptions());
      const pair = trl.toDpo({ chosen, rejected });
      const whole = [...reward.prompt, ...reward.completion];
      const messages = [...whole, ...pair.prompt, ...pair.chosen, ...pair.rejected];
      expect(messages.filter((message) => !isMessage(message))).toEqual([]);
      expect(whole.slice(0, -1)).toEqual(pair.prompt);
      const calls = whole.flatMap(({ tool_calls = [] }) => tool_calls);
      expect(calls.filter((each) => !isJsonObject(each.function.arguments))).toEqual([]);
      if (trl.findObstacle(chosen) !== undefined) return;
      pairs += 1;
      expect(["user", "tool"]).toContain(pair.prompt.at(-1)?.role);
    }),
    { numRuns: 300, seed: 1 },
  );
  expect(pairs).toBeGreaterThan(20);
});
