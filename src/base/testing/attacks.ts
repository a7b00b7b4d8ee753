import { expect, type TaskMeta } from "vitest";

/** Counts the attempts of a test to break something. `npm run test:full` prints the counts of all tests in one table. */
class Attacks {
  readonly name: string;
  tried = 0;
  survived = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Counts an attempt as survived unless its assertions throw. */
  attempt(run: () => void): void {
    this.tried += 1;
    run();
    this.survived += 1;
  }

  /** The same for `count` attempts that are made at once. */
  async attemptAll(count: number, run: () => Promise<void>): Promise<void> {
    this.tried += count;
    await run();
    this.survived += count;
  }
}

declare module "vitest" {
  interface TaskMeta {
    attacks?: Attacks;
  }
}

/** The part of a test's context that is needed here. */
interface CountingContext {
  readonly task: { readonly meta: TaskMeta };
  onTestFinished(end: () => void): unknown;
}

/** Counts the attempts of the test with this context. The test fails if it makes fewer than `count`. */
export function countAttacks(
  { task, onTestFinished }: CountingContext,
  name: string,
  count: number,
): Attacks {
  const attacks = new Attacks(name);
  task.meta.attacks = attacks;
  onTestFinished(() => expect(attacks.tried).toBeGreaterThanOrEqual(count));
  return attacks;
}
