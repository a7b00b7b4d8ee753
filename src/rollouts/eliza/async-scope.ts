import { AsyncLocalStorage } from "node:async_hooks";
import type { ModelContext, ToolEvent } from "#generated/index.js";

/** A message that the agent is answering. */
export interface MessageScope {
  readonly runtime: unknown;
  readonly message: unknown;
  /** What the model was given when it was last asked for an answer; undefined before that. */
  context?: ModelContext;
  /** Whether the answer is complete: models are then asked only to evaluate it. */
  isAnswered: boolean;
  /** The events of the actions that have run for it. */
  readonly events: ToolEvent[];
  /** Number of calls recorded for it: the id of the next call. */
  calls: number;
  /** Whether actions answer it, rather than a plain reply. */
  hasActed: boolean;
}

/** What the current code runs for: passed on through promises and timers. */
export interface AsyncScope {
  readonly message?: MessageScope | undefined;
  /** The action that is being recorded. */
  readonly action?: RecordedAction;
  /** The scope in which that action was called. */
  readonly outer?: AsyncScope | undefined;
  /** In a branch: its buffered callbacks. */
  readonly branch?: CallbackBuffer | undefined;
}

interface RecordedAction {
  readonly runtime: unknown;
  readonly name: string;
  /** Work that an action starts and does not await continues in its scope after the end. */
  hasEnded: boolean;
}

export const asyncScope = new AsyncLocalStorage<AsyncScope>();

/**
 * Whether the current code runs inside a recorded call of this action of this runtime. This happens if a
 * function that wraps our handler was instrumented too.
 */
export function isBeingRecorded(runtime: unknown, name: string): boolean {
  for (let scope = asyncScope.getStore(); scope !== undefined; scope = scope.outer) {
    const { action } = scope;
    if (action?.name === name && action.runtime === runtime) return !action.hasEnded;
  }
  return false;
}

/** The callbacks of the branch that the current code runs in; undefined outside a branch, or once it has ended. */
export function findBranch(): CallbackBuffer | undefined {
  const branch = asyncScope.getStore()?.branch;
  return branch?.isBuffering() ? branch : undefined;
}

/** Buffers what one branch tells the user, until the best branch is known. */
export interface CallbackBuffer {
  /**
   * Buffers a call, and returns an empty list of memories, as the runtime does; after the release, calls at
   * once.
   */
  readonly divert: (callback: () => unknown) => unknown;
  /** Makes the buffered calls once and in order. Rejects with what a call throws. */
  readonly release: () => Promise<void>;
  /** Whether the branch was neither released nor dropped yet. */
  readonly isBuffering: () => boolean;
  /** Forgets the buffered calls and all later ones. */
  readonly drop: () => void;
}

export function bufferCallbacks(): CallbackBuffer {
  const buffered: (() => unknown)[] = [];
  let state: "buffering" | "released" | "dropped" = "buffering";
  return {
    divert(callback) {
      if (state === "released") return callback();
      if (state === "buffering") buffered.push(callback);
      return Promise.resolve([]);
    },
    async release() {
      // Calls made meanwhile wait for their turn.
      for (let next = buffered.shift(); next !== undefined; next = buffered.shift()) await next();
      state = "released";
    },
    isBuffering: () => state === "buffering",
    drop() {
      state = "dropped";
      buffered.length = 0;
    },
  };
}
