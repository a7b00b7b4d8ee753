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

/** What one branch has for the user, until it is known whether the branch is the chosen one. */
export interface Deliveries {
  /**
   * Holds a delivery back and answers as the runtime does, which stores no memory yet; once the branch is
   * released it delivers at once.
   */
  readonly divert: (deliver: () => unknown) => unknown;
  /** Delivers what was held, each once and in order, and rejects with what a delivery throws. */
  readonly release: () => Promise<void>;
  /** Whether it is still open what becomes of the branch. */
  readonly isHolding: () => boolean;
  /** Forgets what was held, and whatever comes later. */
  readonly drop: () => void;
}

export function holdDeliveries(): Deliveries {
  const held: (() => unknown)[] = [];
  let state: "holding" | "released" | "dropped" = "holding";
  return {
    divert(deliver) {
      if (state === "released") return deliver();
      if (state === "holding") held.push(deliver);
      return Promise.resolve([]);
    },
    async release() {
      // What comes while these are delivered waits for its turn.
      for (let next = held.shift(); next !== undefined; next = held.shift()) await next();
      state = "released";
    },
    isHolding: () => state === "holding",
    drop() {
      state = "dropped";
      held.length = 0;
    },
  };
}
