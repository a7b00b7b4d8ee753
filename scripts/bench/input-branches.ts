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
/** The first branch of its rollout, in the format's own dialect, that is 1 kB long and has the best rank. */
const SMALL_BRANCH = 4;
/** Measured, rounded up. */
const ITEM_BYTES = 300;

/** What a line is. */
interface Shape {
  readonly create: (index: number) => object;
  /** Average bytes as a line. */
  readonly bytes: number;
}

const ROLLOUTS: Shape = { create: createBranch, bytes: BRANCH_BYTES };
const MIXED: Shape = { create: createMixedBranch, bytes: MIXED_BRANCH_BYTES };
const ITEMS: Shape = { create: createEvalItem, bytes: ITEM_BYTES };
const TASKS: Shape = {
  create: (index) => ({ id: `task-${index}`, text: createTask(index) }),
  bytes: ITEM_BYTES,
};
const ONE: Shape = { create: () => createMixedBranch(SMALL_BRANCH), bytes: MIXED_BRANCH_BYTES };

/** The number of lines for a benchmark of so many branches. */
type Count = (branches: number) => number;

const times =
  (factor: number): Count =>
  (branches) =>
    Math.floor(branches * factor);
const firstOf: Count = (branches) => Math.min(branches, SAMPLE_BRANCHES);

const PER_TASK = 1 / BRANCHES_PER_ROLLOUT;
const PER_ITEM = EVAL_ITEMS_PER_ROLLOUT / BRANCHES_PER_ROLLOUT;

export const inputKinds = {
  rollouts: inOrder("ranked branches, those of a rollout in a row", ROLLOUTS, times(1)),
  "rollouts-shuffled": shuffled("the same branches in random order", ROLLOUTS, times(1)),
  "rollouts-4x": inOrder("4 times as many branches", ROLLOUTS, times(GROWTH)),
  "rollouts-4x-shuffled": shuffled("4 times as many in random order", ROLLOUTS, times(GROWTH)),
  "rollouts-sample": inOrder("the first of the branches", ROLLOUTS, firstOf),
  mixed: inOrder(
    "short branches in three dialects; a fifth of the lines give a warning",
    MIXED,
    times(1),
  ),
  "mixed-shuffled": shuffled("the short branches in random order", MIXED, times(1)),
  "mixed-4x": inOrder("4 times as many short branches", MIXED, times(GROWTH)),
  "mixed-4x-shuffled": shuffled("4 times as many short ones in random order", MIXED, times(GROWTH)),
  "mixed-9x-shuffled": shuffled(
    "9 times as many short ones in random order",
    MIXED,
    times(MIXED_GROWTH),
  ),
  "mixed-sample": inOrder("the first of the short branches", MIXED, firstOf),
  "one-branch": inOrder("one short branch", ONE, () => 1),
  "eval-items": inOrder("evaluation items", ITEMS, times(PER_ITEM)),
  "eval-items-half": inOrder("the first half of the evaluation items", ITEMS, times(PER_ITEM / 2)),
  tasks: inOrder("tasks of the rollouts", TASKS, times(PER_TASK)),
  "tasks-half": inOrder("the first half of the tasks", TASKS, times(PER_TASK / 2)),
} satisfies Record<string, InputKind>;

export type InputId = keyof typeof inputKinds;

/** Both shapes of input, which every comparison of whole files measures. */
export const SHAPES = ["rollouts", "mixed"] as const satisfies InputId[];

function inOrder(what: string, shape: Shape, count: Count): InputKind {
  return createKind(what, shape, count, numbersBelow);
}

function shuffled(what: string, shape: Shape, count: Count): InputKind {
  return createKind(what, shape, count, shuffledIndices);
}

function createKind(
  what: string,
  { create, bytes }: Shape,
  countOf: Count,
  order: (count: number) => Iterable<number>,
): InputKind {
  return {
    what,
    estimateBytes: (branches) => countOf(branches) * bytes,
    *records(branches) {
      for (const index of order(countOf(branches))) yield create(index);
    },
  };
}

function* numbersBelow(count: number): Generator<number> {
  for (let index = 0; index < count; index += 1) yield index;
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
