import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Message, RolloutBranchRecord } from "#generated/index.js";
import { toJsonl } from "../../base/json/print.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";
import { createEvent } from "../../rollouts/wire/export/testing/create-event.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

const call = (toolName: string, text: string, batchId: string) =>
  createEvent({
    event: "tool_call",
    data: { toolName, args: { id: 7 }, callId: batchId, batchId, text, output: "ok" },
  });

/** Branches of a rollout, best first; the first half has the better score. */
function rollout(id: string, ...fields: Partial<RolloutBranchRecord>[]): RolloutBranchRecord[] {
  return fields.map((own, index) =>
    createBranch({
      ...{ rollout_id: id, branch_index: index, rank: index + 1, final_answer: "Done." },
      ...{ total_score: index < fields.length / 2 ? 1 : 0, ...own },
    }),
  );
}

const polite = call("find", "Let me look.", "1");
const curt = call("find", "", "1");
const identical = rollout(
  "identical",
  { tool_call_sequence: [curt, call("cancel", "", "2")] },
  { tool_call_sequence: [curt, call("refund", "", "2")] },
);
const sameActs = rollout(
  "same-acts",
  { tool_call_sequence: [polite, call("cancel", "", "2")] },
  { tool_call_sequence: [curt], final_answer: "I cannot." },
);
const sameCall = rollout(
  "same-call",
  { tool_call_sequence: [polite] },
  { tool_call_sequence: [curt] },
);
const system = (content: string) => ({
  context: { messages: [{ role: "system", content } satisfies Message] },
});
const dated = rollout(
  "dated",
  { ...system("Today is 2026-11-20."), final_answer: "Yes." },
  { ...system("Today is 2026-11-21."), final_answer: "No." },
);

const argv = ["export", "--input", "in.jsonl", "--allow-missing-g3"];
const explain = async (id: string, ...given: string[]): Promise<string> =>
  (await folder.run([...argv, ...given, "--explain", id])).stdout;

test("the summary counts the pairs of each kind, and the records say which they are", async () => {
  folder.write("in.jsonl", toJsonl([...identical, ...sameActs, ...sameCall, ...dated]));
  const { exitCode, stderr } = await folder.run([...argv, "--report", "report.json"]);
  expect(exitCode).toBe(EXIT.ok);
  expect(stderr).toContain(
    "dpo.jsonl  2 pairs: 1 after identical turns, 1 after the same calls in other words\n",
  );
  expect(stderr).toContain("not paired         1 same-call, 1 different-prompts\n");
  const lines = readFileSync(join(folder.path, "dpo.jsonl"), "utf8").trimEnd().split("\n");
  const records = lines.map((line) => JSON.parse(line));
  expect(records).toMatchObject([
    { provenance: { common_prompt: "identical", divergence_turn: 2 } },
    {
      prompt: [{ role: "user" }, { content: "Let me look." }, { role: "tool" }],
      chosen: [{ tool_calls: [{ function: { name: "cancel" } }] }],
      rejected: [{ content: "I cannot." }],
      provenance: { common_prompt: "same-acts", divergence_turn: 2 },
    },
  ]);
  expect(JSON.parse(readFileSync(join(folder.path, "report.json"), "utf8"))).toMatchObject({
    settings: { pairs: "act" },
    same_acts: 1,
    pairs: [{ common_prompt: "identical" }, { common_prompt: "same-acts", divergence_turn: 2 }],
  });
});

test("--explain and show name the acts in which a pair parts, or the words in which prompts differ", async () => {
  folder.write("in.jsonl", toJsonl([...sameActs, ...dated]));
  const act = 'cancel(id: 7) against text "I cannot."';
  const text = await explain("same-acts");
  expect(text).toContain(`They part: ${act}`);
  expect(text).toContain("3 messages are the same but for what the model said, then:");
  const words = '/context/messages/0 (system): "2026-11-20." against "2026-11-21."';
  expect(await explain("dated")).toContain(`The prompts differ first at ${words}`);
  const { stdout } = await folder.run(["show", "in.jsonl"]);
  const shown = stdout.replaceAll(/\s+/g, " ");
  expect(shown).toContain(`they part in assistant turn 2: ${act}`);
  expect(shown).toContain(`first at ${words}`);
});

test("branches that the target cannot take are passed over for others of the same score, and counted", async () => {
  const stray = createEvent({ event: "tool_result", data: { callId: "?", output: 1 } });
  const unusable = { tool_call_sequence: [stray], objective_status: "pass" as const };
  const usable = { objective_status: "pass" as const };
  folder.write("in.jsonl", toJsonl(rollout("r", unusable, usable, {}, {})));
  const { stderr } = await folder.run([...argv, "--target", "trl-sft"]);
  expect(stderr).toContain("sft.jsonl  1 demonstration\n");
  expect(stderr).toContain("passed over        1 branch, for others of the same total score\n");
  expect(await explain("r", "--target", "trl-sft")).toContain(
    "Tried before, of the same total scores:\n  branch 0: stray-result\n",
  );
  folder.write("in.jsonl", toJsonl(rollout("r", unusable, unusable, {}, {})));
  const none = await folder.run([...argv, "--target", "trl-sft"]);
  expect(none.stderr).toContain("no demonstration   1 best-unusable\n");
  expect(await explain("r", "--target", "trl-sft")).toContain(
    "  branch 0: stray-result\n  branch 1: stray-result\n",
  );
});
