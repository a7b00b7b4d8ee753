import { types } from "node:util";
import { readField } from "../capture/snapshot.js";
import { type CallScope, callScope, type Deliveries, holdDeliveries } from "./async-scope.js";
import type { Capture, RolloutCall } from "./capture.js";
import { createView, type Handler, isHandler, isThenable } from "./instrument/patch.js";
import type { Outcome } from "./outcome.js";
import { rankOutcomes } from "./records.js";
import { createRun } from "./run.js";

/** Position of the callback among the arguments of an action's handler. */
export const CALLBACK = 4;

/** What the handler of an action is called with, and how. */
export interface ActionInvocation {
  readonly args: readonly unknown[];
  readonly invoke: (args: readonly unknown[]) => unknown;
}

/**
 * Runs an action as it would run without us, and records it: what the handler returns is returned, at once
 * when it is no promise, and what it throws is thrown.
 */
export function runOnce(
  capture: Capture,
  call: RolloutCall,
  { args, invoke }: ActionInvocation,
): unknown {
  const outer = callScope.getStore();
  const run = createRun(call);
  const action = { runtime: capture.runtime, name: call.action, hasEnded: false };
  const end = (outcome: Outcome): void => {
    action.hasEnded = true;
    outer?.message?.events.push(...outcome.events);
    capture.record(call, outcome);
  };
  const scope: CallScope = { ...outer, outer, action };
  const callback = args[CALLBACK];
  const watched = isHandler(callback) ? args.with(CALLBACK, toWatched(callback, run.say)) : args;
  const settle = async (result: PromiseLike<unknown>): Promise<unknown> => {
    try {
      const value = await result;
      end(run.succeed(value));
      return value;
    } catch (error) {
      end(run.fail(error));
      throw error;
    }
  };
  let result: unknown;
  try {
    result = callScope.run(scope, () => invoke(watched));
  } catch (error) {
    end(run.fail(error));
    throw error;
  }
  if (isThenable(result)) return settle(result);
  end(run.succeed(result));
  return result;
}

/** A callback of which `say` hears what it is given. */
export function toWatched(callback: Handler, say: (content: unknown) => void): Handler {
  return function (...given) {
    say(given[0]);
    return Reflect.apply(callback, this, given);
  };
}

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

/**
 * A copy of an input of an action, so that one branch does not see what another does to it: plain objects,
 * lists, maps, sets and dates are copied as deep as they go, and what they share stays shared. All else is
 * passed as it is: functions, instances of classes, and what cannot be read.
 */
export function cloneInput<T>(value: T): T;
export function cloneInput(value: unknown): unknown {
  return cloneValue(value, new Map());
}

type Copies = Map<unknown, unknown>;

function cloneValue(value: unknown, copies: Copies): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (copies.has(value)) return copies.get(value);
  try {
    return cloneObject(value, copies);
  } catch {
    copies.set(value, value);
    return value;
  }
}

function cloneObject(value: object, copies: Copies): unknown {
  const prototype = Reflect.getPrototypeOf(value);
  if (Array.isArray(value) && prototype === Array.prototype) return copyFields(value, [], copies);
  if (prototype === Object.prototype || prototype === null) {
    return copyFields(value, Object.create(prototype), copies);
  }
  if (types.isDate(value)) return remember(value, new Date(value), copies);
  if (types.isMap(value) && prototype === Map.prototype) {
    const map = remember(value, new Map<unknown, unknown>(), copies);
    for (const [key, each] of value) map.set(cloneValue(key, copies), cloneValue(each, copies));
    return map;
  }
  if (types.isSet(value) && prototype === Set.prototype) {
    const set = remember(value, new Set<unknown>(), copies);
    for (const each of value) set.add(cloneValue(each, copies));
    return set;
  }
  return value;
}

function remember<C>(value: object, copy: C, copies: Copies): C {
  copies.set(value, copy);
  return copy;
}

function copyFields(from: object, to: object, copies: Copies): object {
  copies.set(from, to);
  for (const key of Reflect.ownKeys(from)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(from, key);
    if (descriptor === undefined) continue;
    const value = cloneValue(Reflect.get(from, key), copies);
    const isLength = Array.isArray(to) && key === "length";
    // A branch may change its copy, also of what was frozen.
    const free = { enumerable: descriptor.enumerable, writable: true, configurable: true };
    Object.defineProperty(to, key, isLength ? { value } : { ...free, value });
  }
  return to;
}
