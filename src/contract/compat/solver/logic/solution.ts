import { formatNumber } from "../../../../base/text.js";

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
    if (!this.trySpend(cost)) throw new GivenUp(this.whyStopped);
  }

  /** Whether nothing is left for further questions. */
  get isSpent(): boolean {
    return this.#total < 0;
  }

  /** Which limit was reached, and what to do. */
  get whyStopped(): string {
    const { each, total } = this.#limits;
    return this.isSpent
      ? `too many questions: they took the ${formatNumber(total)} steps allowed for all of them; compare fewer changes at once`
      : `too many combinations: more than the ${formatNumber(each)} steps allowed for one question; compare a part of the schema`;
  }

  /** False when the budget is exceeded. */
  trySpend(cost: number): boolean {
    this.#left -= cost;
    this.#total -= cost;
    return this.#left >= 0;
  }
}
