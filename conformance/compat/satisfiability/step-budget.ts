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
