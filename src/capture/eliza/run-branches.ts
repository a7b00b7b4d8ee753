import { readField } from "../read-field.js";
import { callScope } from "./call-scope.js";
import { cloneInput } from "./clone-input.js";
import type { Capture, RolloutCall } from "./create-capture.js";
import { createRun } from "./create-run.js";
import { createView } from "./create-view.js";
import { type Handler, isHandler } from "./handler.js";
import { type Deliveries, holdDeliveries } from "./hold-deliveries.js";
import type { Outcome } from "./outcome.js";
import { rankOutcomes } from "./rank-outcomes.js";
import { type ActionInvocation, CALLBACK, toWatched } from "./run-once.js";

/** Positions of the inputs that each branch has a copy of: message, state, options, responses. */
const CLONED: ReadonlySet<number> = new Set([1, 2, 3, 5]);
const OPTIONS = 3;
/** Of the options: takes the text that a model streams. */
export const STREAM = "onStreamChunk";

interface Branch {
  readonly outcome: Outcome;
  readonly deliveries: Deliveries;
  /** Returns what the handler returned, or throws what it threw. */
  readonly unwrap: () => unknown;
}

/**
 * Runs an action several times at once, each time with its own copies of the inputs, and records all runs.
 * The user hears the best one: what it said is delivered once, in order, then its own result is returned, or
 * its error thrown when all have failed.
 */
export async function runBranches(
  capture: Capture,
  call: RolloutCall,
  invocation: ActionInvocation,
): Promise<unknown> {
  capture.announceBranches();
  const { branches: count } = capture.settings;
  const branches = await Promise.all(
    Array.from({ length: count }, () => runBranch(capture, call, invocation)),
  );
  const scored = await Promise.all(
    branches.map(async ({ outcome }) => ({ ...outcome, score: await capture.score(outcome) })),
  );
  const ranked = rankOutcomes(scored);
  capture.recordRanked(call, ranked);
  const best = ranked[0]?.branchIndex;
  const chosen = branches.find((_, index) => index === best);
  for (const branch of branches) if (branch !== chosen) branch.deliveries.drop();
  callScope.getStore()?.message?.events.push(...(chosen?.outcome.events ?? []));
  await chosen?.deliveries.release();
  return chosen?.unwrap();
}

async function runBranch(
  capture: Capture,
  call: RolloutCall,
  { args, invoke }: ActionInvocation,
): Promise<Branch> {
  const outer = callScope.getStore();
  const run = createRun(call);
  const deliveries = holdDeliveries();
  const action = { runtime: capture.runtime, name: call.action, hasEnded: false };
  const scope = {
    // What happens in a branch is not the message's until the branch is chosen.
    message: undefined,
    outer,
    action,
    branch: deliveries,
  };
  const inputs = args.map((value, position) => {
    if (position === CALLBACK) {
      return isHandler(value) ? toWatched(holdBack(value, deliveries), run.say) : value;
    }
    if (!CLONED.has(position)) return value;
    const copy = cloneInput(value);
    return position === OPTIONS ? holdBackStream(copy, deliveries) : copy;
  });
  try {
    const result = await callScope.run(scope, async () => invoke(inputs));
    return { outcome: run.succeed(result), deliveries, unwrap: () => result };
  } catch (error) {
    const rethrow = (): never => {
      throw error;
    };
    return { outcome: run.fail(error), deliveries, unwrap: rethrow };
  } finally {
    action.hasEnded = true;
  }
}

/** Delivers what it was given at the time, however the branch changes it later. */
function holdBack(deliver: Handler, { divert }: Deliveries): Handler {
  return function (...given) {
    const copies = cloneInput(given);
    return divert(() => Reflect.apply(deliver, this, copies));
  };
}

/** Chunks of a stream reach the user too. */
function holdBackStream(options: unknown, deliveries: Deliveries): unknown {
  const stream = readField(options, STREAM);
  if (typeof options !== "object" || options === null || !isHandler(stream)) return options;
  return createView(options, STREAM, holdBack(stream, deliveries));
}
