import type { TaskMeta } from "vitest";
import type { Reporter } from "vitest/node";
import { alignColumns, formatNumber } from "../src/base/text.js";

/** The part of a test module of Vitest that is read here. */
interface TestModule {
  readonly children: { allTests(): Iterable<{ meta(): TaskMeta }> };
}

interface Counts {
  readonly tried: number;
  readonly survived: number;
}

/** Prints how many attacks of each kind the tests tried, and how many the code survived: see `countAttacks`. */
export class AttackReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = tabulateAttacks(modules);
    if (lines.length > 0) process.stdout.write(`\n${lines.join("\n")}\n`);
  }
}

/** The lines of the table; none if no test counts attacks. */
export function tabulateAttacks(modules: readonly TestModule[]): string[] {
  const rows = [...sumByName(modules)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { tried, survived }]) => [name, formatNumber(tried), formatNumber(survived)]);
  if (rows.length === 0) return [];
  return alignColumns([["attacks", "tried", "survived"], ...rows], {
    isNumber: (column) => column > 0,
  });
}

function sumByName(modules: readonly TestModule[]): Map<string, Counts> {
  const sums = new Map<string, Counts>();
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const { attacks } = test.meta();
      if (attacks === undefined) continue;
      const { tried, survived } = sums.get(attacks.name) ?? { tried: 0, survived: 0 };
      sums.set(attacks.name, {
        tried: tried + attacks.tried,
        survived: survived + attacks.survived,
      });
    }
  }
  return sums;
}
