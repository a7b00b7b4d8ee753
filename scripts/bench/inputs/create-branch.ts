import { ROLLOUT_BRANCH_SCHEMA_VERSION, type RolloutBranchRecord } from "#generated/index.js";
import { BRANCHES_PER_ROLLOUT, createScores } from "./create-scores.js";
import { createTask } from "./create-task.js";
import { createText } from "./create-text.js";
import { createToolEvents } from "./create-tool-events.js";
import { Random } from "./random.js";

/** Bytes of a branch as a line, on average. */
export const BRANCH_BYTES = 3200;

/**
 * The `index`-th ranked branch; four in a row are a rollout. It depends on nothing but `index`, so that
 * branches can be made in any order. One in seven has words beyond ASCII, one in fifty crashed.
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
