import { AsyncLocalStorage } from "node:async_hooks";
import type { ToolEvent } from "#generated/index.js";
import type { Deliveries } from "./hold-deliveries.js";

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
  readonly action?: RecordedAction;
  /** The scope in which that was called, by other code of the same action. */
  readonly outer?: CallScope | undefined;
  /** What the branch has for the user, in a branch. */
  readonly branch?: Deliveries | undefined;
}

export interface RecordedAction {
  readonly runtime: unknown;
  readonly name: string;
  /** What an action starts, and does not wait for, goes on in its scope. */
  hasEnded: boolean;
}

export const callScope = new AsyncLocalStorage<CallScope>();

/**
 * Whether this action of this runtime is being recorded around the current code: a function that wraps our
 * handler was instrumented in its turn, and calls it.
 */
export function isBeingRecorded(runtime: unknown, name: string): boolean {
  for (let scope = callScope.getStore(); scope !== undefined; scope = scope.outer) {
    const { action } = scope;
    if (action?.name === name && action.runtime === runtime) return !action.hasEnded;
  }
  return false;
}

/** The branch that is running around the current code; undefined also once it has ended. */
export function findBranch(): Deliveries | undefined {
  const branch = callScope.getStore()?.branch;
  return branch?.isHolding() ? branch : undefined;
}
