import type { Bench } from "./bench.js";
import { type InputId, inputKinds } from "./input-branches.js";
import type { NamedInput, Reporter, RowResult } from "./report.js";
import type { BenchRow } from "./row.js";

/** The inputs of these rows, without duplicates. */
export function inputsOf(rows: readonly BenchRow[]): InputId[] {
  return [...new Set(rows.flatMap(({ inputs }) => inputs))];
}

/** Writes the inputs, then measures the rows in order. */
export async function runRows(
  rows: readonly BenchRow[],
  bench: Bench,
  reporter: Reporter,
): Promise<void> {
  reporter.inputs(
    inputsOf(rows).map((id): NamedInput => {
      return { id, what: inputKinds[id].what, ...bench.writeInput(id) };
    }),
  );
  const results: RowResult[] = [];
  for (const row of rows) {
    for (const measurement of await row.run(bench)) {
      const result = { row, measurement };
      reporter.measured(result);
      results.push(result);
    }
  }
  reporter.end(results);
}
