import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { isRolloutBranch, type RolloutBranch } from "#generated/index.js";
import { toJsonl } from "../../src/base/json/print.js";
import { createTestFolder } from "../../src/base/testing/run-in-folder.js";
import { EXIT } from "../../src/base/user-error.js";
import { BranchConversation } from "../../src/rollouts/wire/conversation/conversation.js";
import { toObjectMessages } from "../../src/rollouts/wire/conversation/dialects.js";
import { atif } from "../../src/rollouts/wire/export/targets/atif.js";
import { runConsumer } from "./run-consumer.js";
import { createRollouts } from "./testing/create-rollouts.js";
import { createSources } from "./testing/create-sources.js";

interface Reading {
  readonly steps?: number;
  /** Whether Harbor writes what it read. */
  readonly same?: boolean;
  readonly refused?: string;
}

const folder = createTestFolder();
afterAll(() => folder.remove());

const branches = [...createRollouts(), ...createSources().flatMap((each) => each.branches)];
const trajectories = branches.map((branch) => atif.toPpo(branch));

function read(records: readonly object[]): readonly Reading[] {
  folder.write("trajectories.jsonl", toJsonl(records));
  return runConsumer<Reading[]>("read_atif", { path: join(folder.path, "trajectories.jsonl") });
}

test("Harbor accepts every trajectory, and writes what it read", () => {
  const readings = read(trajectories);
  const steps = trajectories.map((each) => each.steps.length);
  process.stderr.write(
    `Harbor: ${readings.length} trajectories, ${steps.reduce((sum, each) => sum + each, 0)} steps\n`,
  );
  expect(readings.length).toBeGreaterThan(300);
  expect(readings).toEqual(steps.map((count) => ({ steps: count, same: true })));
});

test("Harbor refuses a trajectory that is none", () => {
  const [first] = trajectories.filter(({ steps }) => steps.some((step) => step.observation));
  const spoilt = JSON.parse(
    JSON.stringify(first).replace(/"source_call_id":"/, '"source_call_id":"no-'),
  );
  const [stray, unknown, sound] = read([spoilt, { ...first, colour: "red" }, { ...first }]);
  expect(stray?.refused).toContain("not found in step");
  expect(unknown?.refused).toContain("colour");
  expect(sound).toMatchObject({ same: true });
});

/** What a model heard and said, as the format can hold it: docs/targets.md names the rest. */
function toHeard(branch: RolloutBranch) {
  const { messages } = new BranchConversation(branch, { openEnd: true });
  return toObjectMessages(messages)
    .filter(({ role, content, tool_calls: calls }) => role === "tool" || content !== "" || calls)
    .map(({ role, content, reasoning_content: thought, tool_calls: calls = [] }) => [
      ...[role === "developer" ? "system" : role, content, thought],
      calls.map(({ function: { name, arguments: args } }) => [name, args]),
    ]);
}

/** Without a task or without any word or call of the model, there is no branch to import. */
function isAnswered(branch: RolloutBranch): boolean {
  const { messages, taskIndex } = new BranchConversation(branch, { openEnd: true });
  const said = messages.slice(taskIndex).filter(({ role }) => role === "assistant");
  const isSaid = said.some(({ content, tool_calls: calls }) => content.trim() !== "" || calls);
  return branch.task.trim() !== "" && isSaid;
}

test("imported again, every conversation and every verdict is the same", async () => {
  folder.write("trajectories.jsonl", toJsonl(trajectories));
  const { exitCode, stderr } = await folder.run([
    ...["import", "trajectories.jsonl", "--output", "again.jsonl"],
    ...["--group-by", "/extra/rollout_wire/rollout_id"],
    ...["--objective", "/extra/rollout_wire/objective_score>=1"],
  ]);
  const answered = branches.filter(isAnswered);
  expect([exitCode, stderr]).toEqual([EXIT.ok, expect.any(String)]);
  expect(stderr).toContain(`skipped            ${branches.length - answered.length} no-text`);
  const again = readFileSync(join(folder.path, "again.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line))
    .filter(isRolloutBranch);
  expect(again.length).toBeGreaterThan(300);
  expect(again.map(toHeard)).toEqual(answered.map(toHeard));
  expect(again.map((branch) => branch.objective_status)).toEqual(
    answered.map(({ objective_score: score }) => (score === 1 ? "pass" : "fail")),
  );
});
