import { closeSync, openSync, writeSync } from "node:fs";
import {
  ROLLOUT_BRANCH_SCHEMA_VERSION,
  type RolloutBranchRecord,
  type ToolEvent,
} from "#generated/index.js";
import {
  BRANCHES_PER_ROLLOUT,
  createEvalItem,
  createScores,
  createTask,
  createText,
  EVAL_ITEMS_PER_ROLLOUT,
  Random,
  shuffledIndices,
} from "./inputs.js";
import { createMixedBranch, MIXED_BRANCH_BYTES } from "./mixed-branches.js";

/** Average bytes of a branch as a line. */
export const BRANCH_BYTES = 3200;

/**
 * The `index`-th ranked branch; four adjacent branches are a rollout. Depends on `index` only, so branches
 * can be created in any order. One in seven has non-ASCII words, one in fifty crashed.
 */
export function createBranch(index: number): RolloutBranchRecord {
  const random = new Random("branch", index);
  const rollout = Math.floor(index / BRANCHES_PER_ROLLOUT);
  const branch_index = index % BRANCHES_PER_ROLLOUT;
  const [scores] = createScores(rollout).slice(branch_index);
  if (scores === undefined) throw new RangeError(`no scores for branch ${index}`);
  const unicode = index % 7 === 3;
  return {
    schema_version: ROLLOUT_BRANCH_SCHEMA_VERSION,
    rollout_id: `run-7/task-${String(rollout).padStart(6, "0")}`,
    task: createTask(rollout),
    branch_index,
    temperature: 0.4 + branch_index / 5,
    session_id: `session-${index.toString(16).padStart(8, "0")}`,
    seed: random.integer(0, 2 ** 31 - 1),
    tool_call_sequence: createToolEvents(random, unicode),
    final_answer: random.chance(2) ? "" : createText(random, random.integer(20, 70), unicode),
    build_result: {
      status: scores.objective_status,
      duration_ms: random.integer(80, 90_000),
      checks: [
        { name: "compiles", passed: true },
        { name: "tests", passed: scores.objective_score === 1 },
      ],
    },
    ...scores,
  };
}

const TOOLS = [
  "read_file",
  "run_tests",
  "search_code",
  "get_order",
  "query_database",
  "apply_patch",
];

/** Tool calls with their results, in the format's own dialect; sometimes two calls in one turn. */
export function createToolEvents(random: Random, unicode: boolean): ToolEvent[] {
  const events: ToolEvent[] = [];
  const turns = random.integer(2, 4);
  for (let turn = 1; turn <= turns; turn += 1) {
    const names = Array.from({ length: random.chance(15) ? 2 : 1 }, () => random.pick(TOOLS));
    const calls = names.map((toolName, at) => ({ toolName, callId: `call_${turn}_${at}` }));
    for (const call of calls) events.push(createCall(call, `turn-${turn}`, random, unicode));
    for (const call of calls) events.push(createResult(call, random, unicode));
  }
  return events;
}

interface CallName {
  readonly toolName: string;
  readonly callId: string;
}

function createCall(
  { toolName, callId }: CallName,
  batchId: string,
  random: Random,
  unicode: boolean,
): ToolEvent {
  const args = {
    path: `src/${createText(random, 1)}/${createText(random, 1)}.ts`,
    limit: random.integer(1, 500),
    query: createText(random, random.integer(2, 8), unicode),
    options: { recursive: random.chance(50), timeout_ms: random.integer(1, 60) * 500 },
  };
  const text = random.chance(40)
    ? { text: createText(random, random.integer(6, 18), unicode) }
    : {};
  return {
    event: "tool_call",
    channel: "tool",
    data: { toolName, args, callId, batchId, ...text },
  };
}

function createResult({ toolName, callId }: CallName, random: Random, unicode: boolean): ToolEvent {
  const outcome = random.chance(6)
    ? { error: { code: "E_TOOL", message: createText(random, 9, unicode), retryable: true } }
    : { output: createOutput(random, unicode) };
  return { event: "tool_result", channel: "tool", data: { callId, toolName, ...outcome } };
}

/** A third each: JSON as text, lines of text, and a JSON value. */
function createOutput(random: Random, unicode: boolean): unknown {
  const kind = random.integer(0, 2);
  if (kind === 1) return createLines(random, unicode);
  const value = {
    status: random.chance(80) ? "ok" : "partial",
    total: random.integer(0, 99_999) / 100,
    rows: Array.from({ length: random.integer(1, 5) }, (_, at) => ({
      id: random.integer(1, 9_999_999),
      title: createText(random, random.integer(2, 6), unicode),
      active: random.chance(50),
      parent: at === 0 ? null : at,
    })),
  };
  return kind === 0 ? JSON.stringify(value) : value;
}

function createLines(random: Random, unicode: boolean): string {
  const lines = Array.from(
    { length: random.integer(3, 9) },
    (_, at) => `${at + 1}\t  const ${createText(random, 1)} = "${createText(random, 4, unicode)}";`,
  );
  return `${lines.join("\n")}\n`;
}

/** A generated file of JSON Lines. */
export interface InputKind {
  readonly what: string;
  /** Its approximate size in bytes for a benchmark of so many branches, if it is large enough to matter. */
  estimateBytes(branches: number): number;
  /** Its records for a benchmark of so many branches. */
  records(branches: number): Iterable<object>;
}

/** The factor of the large inputs; the bench prints it as "4x". */
export const GROWTH = 4;
/** As many mixed branches are as many bytes as four times the others: 1 GB at full size. */
const MIXED_GROWTH = 9;
/** Enough for a validator or loader that processes records one by one; Python keeps them all in memory. */
const SAMPLE_BRANCHES = 2000;
/** 10,000 rollouts. */
const REPORT_BRANCHES = 40_000;
/** The first branch of its rollout, in the format's own dialect, that is 1 kB long and has the best rank. */
const SMALL_BRANCH = 4;
/** Measured, rounded up. */
const ITEM_BYTES = 300;

/** What a generated branch looks like. */
interface Shape {
  readonly create: (index: number) => object;
  /** Average bytes as a line. */
  readonly bytes: number;
}

const ROLLOUTS: Shape = { create: createBranch, bytes: BRANCH_BYTES };
const MIXED: Shape = { create: createMixedBranch, bytes: MIXED_BRANCH_BYTES };

export const inputKinds = {
  rollouts: branches("ranked branches, those of a rollout in a row", ROLLOUTS),
  "rollouts-shuffled": shuffled("the same branches in random order", ROLLOUTS),
  "rollouts-4x": branches("4 times as many branches", ROLLOUTS, GROWTH),
  "rollouts-4x-shuffled": shuffled("4 times as many in random order", ROLLOUTS, GROWTH),
  "rollouts-sample": sample("the first of the branches", ROLLOUTS),
  mixed: branches("short branches in three dialects; a fifth of the lines give a warning", MIXED),
  "mixed-shuffled": shuffled("the short branches in random order", MIXED),
  "mixed-4x": branches("4 times as many short branches", MIXED, GROWTH),
  "mixed-4x-shuffled": shuffled("4 times as many short ones in random order", MIXED, GROWTH),
  "mixed-9x-shuffled": shuffled("9 times as many short ones in random order", MIXED, MIXED_GROWTH),
  "mixed-sample": sample("the first of the short branches", MIXED),
  "one-branch": {
    what: "one short branch",
    estimateBytes: () => MIXED_BRANCH_BYTES,
    records: () => [createMixedBranch(SMALL_BRANCH)],
  },
  report: {
    what: "short branches, at most 40,000",
    estimateBytes: (count) => Math.min(count, REPORT_BRANCHES) * MIXED_BRANCH_BYTES,
    records: (count) => map(inOrder(Math.min(count, REPORT_BRANCHES)), createMixedBranch),
  },
  "eval-items": evalItems("evaluation items", 1),
  "eval-items-half": evalItems("the first half of the evaluation items", 0.5),
  tasks: tasks("tasks of the rollouts", 1),
  "tasks-half": tasks("the first half of the tasks", 0.5),
} satisfies Record<string, InputKind>;

export type InputId = keyof typeof inputKinds;

/** Both shapes of input, which every comparison of whole files measures. */
export const SHAPES = ["rollouts", "mixed"] as const satisfies InputId[];

function branches(
  what: string,
  { create, bytes }: Shape,
  times = 1,
  order: (count: number) => Iterable<number> = inOrder,
): InputKind {
  return {
    what,
    estimateBytes: (count) => count * times * bytes,
    records: (count) => map(order(count * times), create),
  };
}

function shuffled(what: string, shape: Shape, times = 1): InputKind {
  return branches(what, shape, times, shuffledIndices);
}

function sample(what: string, { create, bytes }: Shape): InputKind {
  return {
    what,
    estimateBytes: (count) => Math.min(count, SAMPLE_BRANCHES) * bytes,
    records: (count) => map(inOrder(Math.min(count, SAMPLE_BRANCHES)), create),
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

export interface WrittenFile {
  readonly records: number;
  readonly bytes: number;
}

/** Number of characters that are buffered before writing. */
const CHUNK = 1 << 20;

/** Writes records as JSON Lines, in bounded memory. */
export function writeJsonl(path: string, records: Iterable<object>): WrittenFile {
  const file = openSync(path, "wx");
  let [count, bytes, text] = [0, 0, ""];
  const flush = (): void => {
    bytes += writeSync(file, text);
    text = "";
  };
  try {
    for (const record of records) {
      text += `${JSON.stringify(record)}\n`;
      count += 1;
      if (text.length >= CHUNK) flush();
    }
    flush();
  } finally {
    closeSync(file);
  }
  return { records: count, bytes };
}
