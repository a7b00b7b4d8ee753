/** Whether some value satisfies all formulas. */
export type Solution =
  | { readonly kind: "value"; readonly value: unknown }
  /** Certainly no value does. */
  | { readonly kind: "none" }
  /** Could not be decided, for the reason given. */
  | { readonly kind: "unknown"; readonly because: string };

export const NONE: Solution = { kind: "none" };

export function found(value: unknown): Solution {
  return { kind: "value", value };
}

export function unknown(because: string): Solution {
  return { kind: "unknown", because };
}

/** Thrown when a search exceeds its budget, or a match the limit on its steps; the message says why. */
export class GivenUp extends Error {}

interface StepLimits {
  /** Steps for one question. */
  readonly each: number;
  /** Steps for all questions: later ones are given up at once. */
  readonly total: number;
}

/** Limits the steps of each search, and of all searches together. */
export class StepBudget {
  readonly #limits: StepLimits;
  #left = 0;
  #total: number;

  constructor(limits: StepLimits) {
    this.#limits = limits;
    this.#total = limits.total;
  }

  /** Starts a new question. */
  begin(): void {
    this.#left = Math.min(this.#limits.each, this.#total);
  }

  /** Throws GivenUp when the budget is exceeded. */
  spend(cost: number): void {
    this.#left -= cost;
    this.#total -= cost;
    if (this.#left < 0) throw new GivenUp("too many combinations");
  }
}
