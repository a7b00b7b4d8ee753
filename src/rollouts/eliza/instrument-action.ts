import { readField } from "../capture/snapshot.js";
import { findBranch } from "./async-scope.js";
import type { Capture } from "./capture.js";
import { type ActionInvocation, runBranches, runOnce } from "./invoke.js";
import {
  createProxy,
  type Handler,
  isHandler,
  isInstrumentedMethod,
  markInstrumented,
} from "./patch.js";

/** An action that can be instrumented. */
interface NamedAction {
  readonly action: object;
  readonly name: string;
  readonly handler: Handler;
}

/** Reads an action as the runtime registers it; undefined if it is not one, or is instrumented already. */
export function readAction(value: unknown): NamedAction | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const [name, handler] = [readField(value, "name"), readField(value, "handler")];
  const isFresh = typeof name === "string" && isHandler(handler) && !isInstrumentedMethod(handler);
  return isFresh ? { action: value, name, handler } : undefined;
}

/**
 * A proxy of an action that records every run; the action itself is not changed. A run is recorded for the
 * runtime that it is called with, or for `home` if that one is not captured.
 */
export function instrumentAction(
  { action, name, handler: first }: NamedAction,
  home: Capture,
  captureOf: (runtime: unknown) => Capture | undefined,
): object {
  const handler: Handler = function (...args) {
    const self = this === proxy ? action : this;
    // The action's handler at this moment, but never an instrumented one, which would call itself.
    const own: unknown = Reflect.get(action, "handler", action);
    const current = isHandler(own) && !isInstrumentedMethod(own) ? own : first;
    const invoke = (given: readonly unknown[]): unknown => Reflect.apply(current, self, given);
    return captureRun(captureOf(args[0]) ?? home, name, { args, invoke });
  };
  const proxy = createProxy(action, "handler", markInstrumented(handler));
  return proxy;
}

function captureRun(capture: Capture, name: string, invocation: ActionInvocation): unknown {
  const call = capture.beginCall(name, invocation.args);
  if (call === undefined) return invocation.invoke(invocation.args);
  // Inside a branch an action runs once: each branch calls it again anyway.
  const isInBranch = findBranch() !== undefined;
  const run = !isInBranch && capture.mayBranch(name) ? runBranches : runOnce;
  return run(capture, call, invocation);
}
