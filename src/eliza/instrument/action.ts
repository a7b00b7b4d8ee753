import { readField } from "../../capture/snapshot.js";
import { findBranch } from "../async-scope.js";
import type { Capture } from "../capture.js";
import { type ActionInvocation, runBranches, runOnce } from "../invoke.js";
import { createView, type Handler, isHandler, isMarked, mark } from "./patch.js";

/** An action that can be instrumented. */
export interface NamedAction {
  readonly action: object;
  readonly name: string;
  readonly handler: Handler;
}

/** An action as the runtime registers it; undefined when it is none, or is instrumented already. */
export function readAction(value: unknown): NamedAction | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const [name, handler] = [readField(value, "name"), readField(value, "handler")];
  const isFresh = typeof name === "string" && isHandler(handler) && !isMarked(handler);
  return isFresh ? { action: value, name, handler } : undefined;
}

/**
 * Stands for an action, and records every run of it; the action itself is not touched. A run is recorded
 * for the runtime that it is called with, where that is captured, else for `home`.
 */
export function instrumentAction(
  { action, name, handler: first }: NamedAction,
  home: Capture,
  captureOf: (runtime: unknown) => Capture | undefined,
): object {
  const handler: Handler = function (...args) {
    const self = this === view ? action : this;
    // The action's own at this moment, as without us; but never ours, which would call itself.
    const own: unknown = Reflect.get(action, "handler", action);
    const current = isHandler(own) && !isMarked(own) ? own : first;
    const invoke = (given: readonly unknown[]): unknown => Reflect.apply(current, self, given);
    return captureRun(captureOf(args[0]) ?? home, name, { args, invoke });
  };
  const view = createView(action, "handler", mark(handler));
  return view;
}

function captureRun(capture: Capture, name: string, invocation: ActionInvocation): unknown {
  const call = capture.beginCall(name, invocation.args);
  if (call === undefined) return invocation.invoke(invocation.args);
  // What a branch calls is run again with the branch.
  const isInBranch = findBranch() !== undefined;
  const run = !isInBranch && capture.mayBranch(name) ? runBranches : runOnce;
  return run(capture, call, invocation);
}
