/**
 * Branches of a scripted environment, with or without traced steps:
 *
 *     node traces.mjs KIND on|off
 *
 * Prints {"records", "bytes", "seconds"}: the fastest pass over the branches within one second, from the
 * first step to the line of JSON. Fails if traces are missing, or unexpected.
 */
import { toJsonl } from "rollout-wire";
import { createTracer, traceKinds } from "rollout-wire/capture";

const PERIOD_MS = 1000;
const BRANCHES = 50;
const STEPS = 20;
const WORDS = "the answer is to be found by adding what was given to what is known of it ".repeat(
  8,
);

const [kind, mode] = process.argv.slice(2);
const enabled = mode === "on";

function outcomeOf(step) {
  const response = { role: "assistant", content: `${step}: ${WORDS}` };
  const reward = { correct: step % 2, format: 0.1, length: -step / 100 };
  const criteria = [{ name: "clear", score: 0.5, reason: WORDS }];
  return {
    response,
    reward,
    rewards: reward,
    criteria,
    isValid: true,
    player: "x",
    state: { step },
  };
}

/** One branch: the environment extends its history in place, as environments do. */
function runBranch(branchIndex) {
  const tracer = createTracer(traceKinds[kind], { enabled });
  const history = [{ role: "user", content: WORDS }];
  for (let index = 0; index < STEPS; index += 1) {
    const step = tracer.begin(history);
    const outcome = outcomeOf(index);
    history.push(outcome.response, { role: "user", content: WORDS });
    step.finish(outcome);
  }
  return {
    rollout_id: "bench",
    task: WORDS,
    branch_index: branchIndex,
    temperature: 1,
    session_id: "",
    tool_call_sequence: [],
    final_answer: history.map(({ content }) => content).join("\n"),
    steps: tracer.steps(),
  };
}

function pass() {
  let bytes = 0;
  for (let index = 0; index < BRANCHES; index += 1) {
    const branch = runBranch(index);
    if ((branch.steps?.length === STEPS) !== enabled) throw new Error("not the traces asked for");
    bytes += toJsonl([branch]).length;
  }
  return bytes;
}

let best = Number.POSITIVE_INFINITY;
let bytes = 0;
const end = performance.now() + PERIOD_MS;
do {
  const start = performance.now();
  bytes = pass();
  best = Math.min(best, performance.now() - start);
} while (performance.now() < end);
process.stdout.write(`${JSON.stringify({ records: BRANCHES, bytes, seconds: best / 1000 })}\n`);
