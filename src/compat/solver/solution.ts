/** Whether there is a value of which all is true that is demanded. */
export type Solution =
  | { readonly kind: "value"; readonly value: unknown }
  /** There is none, for certain. */
  | { readonly kind: "none" }
  /** Nobody knows; `because` says what could not be decided. */
  | { readonly kind: "unknown"; readonly because: string };

export const NONE: Solution = { kind: "none" };

export function found(value: unknown): Solution {
  return { kind: "value", value };
}

export function unknown(because: string): Solution {
  return { kind: "unknown", because };
}

/** Is thrown when a search takes too long. */
export class GivenUp extends Error {}

export interface StepLimits {
  /** Steps for one question. */
  readonly each: number;
  /** Steps for all questions: what is asked after that is given up at once. */
  readonly total: number;
}

/** Counts the steps of searches, so that every one of them ends, and all of them together. */
export class StepBudget {
  readonly #limits: StepLimits;
  #left = 0;
  #total: number;

  constructor(limits: StepLimits) {
    this.#limits = limits;
    this.#total = limits.total;
  }

  /** Begins with another question. */
  begin(): void {
    this.#left = Math.min(this.#limits.each, this.#total);
  }

  /** Throws GivenUp when too much is spent. */
  spend(cost: number): void {
    this.#left -= cost;
    this.#total -= cost;
    if (this.#left < 0) throw new GivenUp();
  }
}
