import { types } from "node:util";
import { readField } from "../capture/snapshot.js";
import {
  type AsyncScope,
  asyncScope,
  bufferCallbacks,
  type CallbackBuffer,
} from "./async-scope.js";
import type { Capture, RolloutCall } from "./capture.js";
import type { Outcome } from "./outcome.js";
import { createProxy, type Handler, isHandler, isThenable } from "./patch.js";
import { rankOutcomes } from "./records.js";
import { createRun } from "./run.js";

/** Position of the callback among the arguments of an action's handler. */
const CALLBACK = 4;

/** One call of an action's handler. */
export interface ActionInvocation {
  readonly args: readonly unknown[];
  readonly invoke: (args: readonly unknown[]) => unknown;
}

/**
 * Runs an action as it runs without the plugin, and records it: returns what the handler returns (a promise
 * only if that is one), and throws what it throws.
 */
export function runOnce(
  capture: Capture,
  call: RolloutCall,
  { args, invoke }: ActionInvocation,
): unknown {
  const outer = asyncScope.getStore();
  const run = createRun(call);
  const action = { runtime: capture.runtime, name: call.action, hasEnded: false };
  const end = (outcome: Outcome): void => {
    action.hasEnded = true;
    outer?.message?.events.push(...outcome.events);
    capture.record(call, outcome);
  };
  const scope: AsyncScope = { ...outer, outer, action };
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
    result = asyncScope.run(scope, () => invoke(watched));
  } catch (error) {
    end(run.fail(error));
    throw error;
  }
  if (isThenable(result)) return settle(result);
  end(run.succeed(result));
  return result;
}

/** A callback whose first argument is also passed to `say`. */
function toWatched(callback: Handler, say: (content: unknown) => void): Handler {
  return function (...given) {
    say(given[0]);
    return Reflect.apply(callback, this, given);
  };
}

/** Positions of the arguments that each branch gets a copy of: message, state, options, responses. */
const CLONED: ReadonlySet<number> = new Set([1, 2, 3, 5]);
const OPTIONS = 3;
/** The option that receives the text that a model streams. */
export const STREAM = "onStreamChunk";

interface Branch {
  readonly outcome: Outcome;
  readonly callbacks: CallbackBuffer;
  /** Returns what the handler returned, or throws what it threw. */
  readonly unwrap: () => unknown;
}

/**
 * Runs an action several times at once, each time with its own copies of the arguments, and records all runs.
 * The user gets the best one: its callbacks are called once, in order, then its result is returned, or its
 * error thrown if all have failed.
 */
export async function runBranches(
  capture: Capture,
  call: RolloutCall,
  invocation: ActionInvocation,
): Promise<unknown> {
  capture.announceBranches();
  const { branches: count, branchTimeoutMs } = capture.settings;
  const limit = createTimeLimit(branchTimeoutMs);
  const branches = await Promise.all(
    Array.from({ length: count }, () => runBranch(capture, call, invocation, limit)),
  );
  limit.end();
  const scored = await Promise.all(
    branches.map(async ({ outcome }) => ({ ...outcome, score: await capture.score(outcome) })),
  );
  const ranked = rankOutcomes(scored);
  capture.recordRanked(call, ranked);
  const best = ranked[0]?.branchIndex;
  const chosen = branches.find((_, index) => index === best);
  for (const branch of branches) if (branch !== chosen) branch.callbacks.drop();
  asyncScope.getStore()?.message?.events.push(...(chosen?.outcome.events ?? []));
  await chosen?.callbacks.release();
  return chosen?.unwrap();
}

/** A time limit for all branches of a call, so that one that hangs does not keep the agent from its answer. */
interface TimeLimit {
  /** Starts the time, unless it has started. */
  readonly start: () => void;
  /** Resolves as `result`, but rejects once the time is over. */
  readonly apply: <T>(result: Promise<T>) => Promise<T>;
  readonly end: () => void;
}

function createTimeLimit(ms: number): TimeLimit {
  let timer: NodeJS.Timeout | undefined;
  let reject: (error: Error) => void = () => {};
  const over = new Promise<never>((_, rejectIt) => {
    reject = rejectIt;
  });
  // Nobody listens if no branch is left.
  over.catch(() => {});
  return {
    start() {
      const problem = `no result within ${ms} ms after another branch had one`;
      timer ??= setTimeout(() => reject(new Error(problem)), ms);
    },
    apply: (result) => Promise.race([result, over]),
    end: () => clearTimeout(timer),
  };
}

async function runBranch(
  capture: Capture,
  call: RolloutCall,
  { args, invoke }: ActionInvocation,
  limit: TimeLimit,
): Promise<Branch> {
  const outer = asyncScope.getStore();
  const run = createRun(call);
  const callbacks = bufferCallbacks();
  const action = { runtime: capture.runtime, name: call.action, hasEnded: false };
  const scope = {
    // Events of a branch do not belong to the message until the branch is chosen.
    message: undefined,
    outer,
    action,
    branch: callbacks,
  };
  const inputs = args.map((value, position) => {
    if (position === CALLBACK) {
      return isHandler(value) ? toWatched(toBuffered(value, callbacks), run.say) : value;
    }
    if (!CLONED.has(position)) return value;
    const copy = cloneInput(value);
    return position === OPTIONS ? toBufferedStream(copy, callbacks) : copy;
  });
  try {
    const result = await limit.apply(asyncScope.run(scope, async () => invoke(inputs)));
    return { outcome: run.succeed(result), callbacks, unwrap: () => result };
  } catch (error) {
    const rethrow = (): never => {
      throw error;
    };
    return { outcome: run.fail(error), callbacks, unwrap: rethrow };
  } finally {
    action.hasEnded = true;
    limit.start();
  }
}

/** A callback whose calls are buffered, with copies of the arguments: the branch may change them later. */
function toBuffered(callback: Handler, { divert }: CallbackBuffer): Handler {
  return function (...given) {
    const copies = cloneInput(given);
    return divert(() => Reflect.apply(callback, this, copies));
  };
}

/** Streamed chunks reach the user too, so they are buffered as well. */
function toBufferedStream(options: unknown, callbacks: CallbackBuffer): unknown {
  const stream = readField(options, STREAM);
  if (typeof options !== "object" || options === null || !isHandler(stream)) return options;
  return createProxy(options, STREAM, toBuffered(stream, callbacks));
}

/**
 * A deep copy of an argument, so that one branch does not see another's changes. Plain objects, lists, maps,
 * sets and dates are copied, and shared references stay shared. Everything else is passed as it is: functions,
 * instances of classes, and objects that cannot be read.
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
    // Writable: a branch may change its copy even if the original is frozen.
    const free = { enumerable: descriptor.enumerable, writable: true, configurable: true };
    Object.defineProperty(to, key, isLength ? { value } : { ...free, value });
  }
  return to;
}
