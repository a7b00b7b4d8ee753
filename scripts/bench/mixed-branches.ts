import {
  type Open,
  ROLLOUT_BRANCH_SCHEMA_VERSION,
  type RolloutBranchRecord,
  type ToolEvent,
} from "#generated/index.js";
import { BRANCHES_PER_ROLLOUT, createScores, createTask, createText, Random } from "./inputs.js";

/** Average bytes of a mixed branch as a line. */
export const MIXED_BRANCH_BYTES = 1500;

/**
 * The `index`-th branch of many short ones, as several runtimes write them. A tenth of the lines is in each of the other
 * two dialects of tool events, so a fifth gives a warning. Some calls run in parallel, and some tools fail.
 */
export function createMixedBranch(index: number): RolloutBranchRecord {
  const random = new Random("mixed branch", index);
  const rollout = Math.floor(index / BRANCHES_PER_ROLLOUT);
  const branch_index = index % BRANCHES_PER_ROLLOUT;
  const [scores] = createScores(rollout).slice(branch_index);
  if (scores === undefined) throw new RangeError(`no scores for branch ${index}`);
  const unicode = index % 11 === 5;
  return {
    schema_version: ROLLOUT_BRANCH_SCHEMA_VERSION,
    rollout_id: `mixed-${String(rollout).padStart(6, "0")}`,
    task: createTask(rollout),
    branch_index,
    temperature: 0.2 + branch_index / 5,
    session_id: `s-${index}`,
    tool_call_sequence: createMixedEvents(random, DIALECTS[index % 10] ?? toNested, unicode),
    final_answer: random.chance(3) ? "" : createText(random, random.integer(8, 40), unicode),
    ...scores,
  };
}

interface Call {
  readonly id: string;
  readonly batch: string;
  readonly name: string;
  readonly args: object;
  readonly text: string;
}

interface Result {
  readonly output?: unknown;
  readonly error?: unknown;
}

/** How a runtime writes a call, or the result of a call. */
type Dialect = (call: Call, result?: Result) => Open<ToolEvent>;

const toNested: Dialect = ({ id, batch, name, args, text }, result) =>
  result === undefined
    ? {
        event: "tool_call",
        channel: "agent",
        data: { toolName: name, args, callId: id, batchId: batch, ...(text !== "" && { text }) },
      }
    : { event: "tool_result", channel: "agent", data: { callId: id, toolName: name, ...result } };

const toNamed: Dialect = ({ id, name, args }, result) =>
  result === undefined
    ? { event: "tool_call", data: { name, arguments: args, callId: id } }
    : { event: "tool_result", data: { callId: id, name, ...result } };

const toFlat: Dialect = ({ id, name, args }, { output, error } = {}) =>
  output === undefined && error === undefined
    ? { call_id: id, tool_name: name, args }
    : { call_id: id, tool_name: name, ...(error === undefined ? { result: output } : { error }) };

/** By the last digit of the branch. */
const DIALECTS: readonly (Dialect | undefined)[] = [
  undefined,
  undefined,
  undefined,
  toNamed,
  undefined,
  undefined,
  undefined,
  undefined,
  toFlat,
  undefined,
];

const TOOLS = ["search", "get_user", "list_orders", "update_order", "calculate", "think"];

function createMixedEvents(random: Random, write: Dialect, unicode: boolean): ToolEvent[] {
  const events: ToolEvent[] = [];
  const turns = random.integer(1, 3);
  for (let turn = 1; turn <= turns; turn += 1) {
    const calls = Array.from({ length: random.chance(25) ? 2 : 1 }, (_, at): Call => {
      const text = random.chance(25) ? createText(random, random.integer(4, 12), unicode) : "";
      return {
        id: `c${turn}_${at}`,
        batch: `b${turn}`,
        name: random.pick(TOOLS),
        args: { id: random.integer(1, 99_999), query: createText(random, random.integer(1, 5)) },
        text,
      };
    });
    for (const call of calls) events.push(write(call));
    for (const call of calls) events.push(write(call, createResult(random, unicode)));
  }
  return events;
}

function createResult(random: Random, unicode: boolean): Result {
  if (random.chance(12)) return { error: `${createText(random, 4, unicode)}: not found` };
  if (random.chance(50)) return { output: createText(random, random.integer(5, 25), unicode) };
  const rows = Array.from({ length: random.integer(1, 3) }, () => ({
    id: random.integer(1, 99_999),
    name: createText(random, 2, unicode),
    price: random.integer(0, 99_999) / 100,
    ok: random.chance(90),
  }));
  return { output: random.chance(50) ? { rows, next: null } : JSON.stringify({ rows }) };
}
