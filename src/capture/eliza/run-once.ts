import { type CallScope, callScope } from "./call-scope.js";
import type { Capture, RolloutCall } from "./create-capture.js";
import { createRun } from "./create-run.js";
import { type Handler, isHandler } from "./handler.js";
import { isThenable } from "./is-thenable.js";
import type { Outcome } from "./outcome.js";

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
