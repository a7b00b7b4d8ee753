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
