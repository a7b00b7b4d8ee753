import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createBranch } from "../../export/testing/create-branch.js";
import { COLLIDING_IDS } from "../../testing/colliding-ids.js";
import { UserError } from "../../user-error.js";
import { createTestFolder, type TestFolder } from "../testing/run-in-folder.js";
import { processBlock } from "./process-block.js";
import { type GroupsJob, processGroups } from "./process-groups.js";
import { blockOf, toLines } from "./testing/block-of.js";
import { exportPlan } from "./testing/export-plan.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

/** A job with the positions of a text's branches, in the order of the text. */
function jobOf(text: string): GroupsJob {
  folder.write("in", text);
  const block = blockOf(text);
  const { positions } = processBlock({
    plan: exportPlan,
    file: "a",
    input: 4,
    block,
    build: false,
  });
  const inputs = new Map([[4, { file: "a", path: join(folder.path, "in") }]]);
  return { plan: exportPlan, inputs, positions };
}

const branch = (rollout_id: string, branch_index: number) =>
  createBranch({ rollout_id, branch_index, rank: branch_index + 1 });

test("rollouts from the lines at their positions", () => {
  const all = [branch("a", 0), branch("a", 1), branch("b", 0)];
  const { rollouts, outputs } = processGroups(
    jobOf(`\ufeff${toLines(all).replaceAll("\n", "\r\n")}`),
  );
  expect(rollouts.map(({ id, branches }) => [id, branches])).toEqual([
    ["a", 2],
    ["b", 1],
  ]);
  expect(
    Buffer.from(outputs[1] ?? [])
      .toString()
      .split("\n"),
  ).toHaveLength(4);
});

test("two ids with one hash are two rollouts", () => {
  const [x, y] = COLLIDING_IDS;
  const { rollouts } = processGroups(jobOf(toLines([branch(x, 0), branch(y, 0), branch(x, 1)])));
  expect(rollouts.map(({ id, branches }) => [id, branches])).toEqual([
    [x, 2],
    [y, 1],
  ]);
});

test("nothing of nothing", () => {
  expect(processGroups({ ...jobOf(""), positions: new Float64Array() }).rollouts).toEqual([]);
});

test("lines that are no longer what they were", () => {
  const job = jobOf(toLines([branch("a", 0)]));
  folder.write("in", toLines([branch("b", 0)]));
  expect(() => processGroups(job)).toThrow(UserError);
});
