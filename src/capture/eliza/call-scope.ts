import { AsyncLocalStorage } from "node:async_hooks";
import type { ToolEvent } from "#generated/index.js";

/** A message that the agent is answering. */
export interface MessageScope {
  /** Events of the actions that ran for it so far. */
  readonly events: ToolEvent[];
  /** How many calls were recorded for it, by which their ids are told apart. */
  calls: number;
  /** Whether it was left to actions to answer. */
  hasActed: boolean;
}

/** What the current code runs for. */
export interface CallScope {
  readonly message?: MessageScope | undefined;
  /** The action that is being recorded. */
  readonly action?: { readonly runtime: unknown; readonly name: string };
  readonly outer?: CallScope | undefined;
  /** Of a branch: holds back what is meant for the user. */
  readonly divert?: ((deliver: () => unknown) => unknown) | undefined;
}

export const callScope = new AsyncLocalStorage<CallScope>();

/**
 * Whether this action of this runtime is being recorded around the current code: a function that wraps our
 * handler was instrumented in its turn, and calls it.
 */
export function isBeingRecorded(runtime: unknown, name: string): boolean {
  for (let scope = callScope.getStore(); scope !== undefined; scope = scope.outer) {
    if (scope.action?.name === name && scope.action.runtime === runtime) return true;
  }
  return false;
}
