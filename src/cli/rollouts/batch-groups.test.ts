import { expect, test } from "vitest";
import { BLOCK_BYTES } from "../parallel/file-blocks.js";
import { batchGroups } from "./batch-groups.js";
import { type LinePosition, POSITION_WIDTH, positionAt } from "./line-position.js";
import type { GroupsJob } from "./process-groups.js";
import { exportPlan } from "./testing/export-plan.js";

const inputs = new Map([
  [0, { file: "a", path: "/a" }],
  [1, { file: "b", path: "/b" }],
]);

const position = (hash: number, input: number, length: number): LinePosition => {
  return { hash, input, offset: 0, length, line: 1, checksum: 0 };
};

async function batch(groups: Iterable<readonly LinePosition[]>): Promise<GroupsJob[]> {
  const jobs: GroupsJob[] = [];
  for await (const job of batchGroups(groups, inputs, exportPlan)) jobs.push(job);
  return jobs;
}

const rowsOf = ({ positions }: GroupsJob) => positions.length / POSITION_WIDTH;

test("one job for little, with the inputs that it needs", async () => {
  const groups = [[position(1, 0, 10), position(1, 0, 10)], [position(2, 0, 10)]];
  const [job, ...more] = await batch(groups);
  expect([more.length, job?.plan, job?.inputs]).toEqual([
    0,
    exportPlan,
    new Map([...inputs].slice(0, 1)),
  ]);
  expect(job && positionAt(job.positions, 2 * POSITION_WIDTH)).toEqual(position(2, 0, 10));
  expect(await batch([])).toEqual([]);
});

test("a new job when there are many bytes, but never amid a rollout", async () => {
  const half = BLOCK_BYTES / 2;
  const large = Array.from({ length: 6 }, () => position(1, 0, half));
  const jobs = await batch([
    large,
    [position(2, 1, half)],
    [position(3, 0, half)],
    [position(4, 0, 1)],
  ]);
  expect(jobs.map(rowsOf)).toEqual([6, 2, 1]);
  expect(jobs.map(({ inputs }) => [...inputs.keys()])).toEqual([[0], [1, 0], [0]]);
});

test("a new job when there are many rollouts", async () => {
  const groups = Array.from({ length: 2049 }, (_, hash) => [position(hash, 0, 1)]);
  expect((await batch(groups)).map(rowsOf)).toEqual([1024, 1024, 1]);
});
