import { BRANCH_BYTES, createBranch } from "./create-branch.js";
import { createEvalItem, EVAL_ITEMS_PER_ROLLOUT } from "./create-eval-item.js";
import { BRANCHES_PER_ROLLOUT } from "./create-scores.js";
import { createTask } from "./create-task.js";
import { shuffledIndices } from "./shuffled-indices.js";

/** A generated file of JSON Lines. */
export interface InputKind {
  readonly what: string;
  /** Its size, where that matters: about so many bytes for a benchmark of so many branches. */
  estimateBytes(branches: number): number;
  /** Its records for a benchmark of so many branches. */
  records(branches: number): Iterable<object>;
}

/** How much larger the large inputs are, and the bench says "4x" of them. */
export const GROWTH = 4;
/** Enough for a validator or a loader, which take records one by one; Python holds them all. */
const SAMPLE_BRANCHES = 2000;
/** Measured, rounded up. */
const ITEM_BYTES = 300;

export const inputKinds = {
  rollouts: branches("ranked branches, those of a rollout in a row", 1, inOrder),
  "rollouts-shuffled": branches("the same branches in random order", 1, shuffledIndices),
  "rollouts-4x": branches("4 times as many branches", GROWTH, inOrder),
  "rollouts-4x-shuffled": branches("4 times as many in random order", GROWTH, shuffledIndices),
  sample: {
    what: "the first of the branches",
    estimateBytes: (count) => Math.min(count, SAMPLE_BRANCHES) * BRANCH_BYTES,
    records: (count) => map(inOrder(Math.min(count, SAMPLE_BRANCHES)), createBranch),
  },
  "eval-items": evalItems("evaluation items", 1),
  "eval-items-half": evalItems("the first half of the evaluation items", 0.5),
  tasks: tasks("tasks of the rollouts", 1),
  "tasks-half": tasks("the first half of the tasks", 0.5),
} satisfies Record<string, InputKind>;

export type InputId = keyof typeof inputKinds;

function branches(
  what: string,
  times: number,
  order: (count: number) => Iterable<number>,
): InputKind {
  return {
    what,
    estimateBytes: (count) => count * times * BRANCH_BYTES,
    records: (count) => map(order(count * times), createBranch),
  };
}

function evalItems(what: string, share: number): InputKind {
  const itemsOf = (count: number): number =>
    Math.floor((count / BRANCHES_PER_ROLLOUT) * EVAL_ITEMS_PER_ROLLOUT * share);
  return {
    what,
    estimateBytes: (count) => itemsOf(count) * ITEM_BYTES,
    records: (count) => map(inOrder(itemsOf(count)), createEvalItem),
  };
}

function tasks(what: string, share: number): InputKind {
  const tasksOf = (count: number): number => Math.floor((count / BRANCHES_PER_ROLLOUT) * share);
  return {
    what,
    estimateBytes: (count) => tasksOf(count) * ITEM_BYTES,
    records: (count) =>
      map(inOrder(tasksOf(count)), (index) => ({ id: `task-${index}`, text: createTask(index) })),
  };
}

function* inOrder(count: number): Generator<number> {
  for (let index = 0; index < count; index += 1) yield index;
}

function* map<T>(indices: Iterable<number>, create: (index: number) => T): Generator<T> {
  for (const index of indices) yield create(index);
}
