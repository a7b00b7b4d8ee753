import { type BrokenKeyword, compileSchema } from "./compile-schema.js";
import type { Literal } from "./satisfiability/formula.js";
import { Solver } from "./satisfiability/solver.js";
import type { SchemaLocation, SchemaSet } from "./schema-set.js";

/** Whether a reader accepts all that a writer may write. */
export type Comparison =
  | { readonly verdict: "compatible" }
  | {
      readonly verdict: "breaking";
      /** A value that is valid to the writer and not to the reader: Ajv says so. */
      readonly witness: unknown;
      /** What the reader says of it. */
      readonly broken: readonly BrokenKeyword[];
    }
  | { readonly verdict: "undecided"; readonly because: string };

/**
 * Whether every value that is valid under `writer` is valid under `reader`: `breaking` only with a value that
 * proves it, `compatible` only when it is certain that there is none.
 */
export function compare(writer: SchemaLocation, reader: SchemaLocation): Comparison {
  const formulas: Literal[] = [
    { kind: "schema", location: writer, holds: true },
    { kind: "schema", location: reader, holds: false },
  ];
  const solver = solverFor(writer.set, reader.set);
  const solution = solver.solve(...formulas);
  if (solution.kind === "none") return { verdict: "compatible" };
  const [written, read] = [compileSchema(writer), compileSchema(reader)];
  for (const witness of solver.candidates(...formulas)) {
    if (written.isValid(witness) !== true || read.isValid(witness) !== false) continue;
    return { verdict: "breaking", witness, broken: read.errorsOf(witness) };
  }
  const because =
    solution.kind === "unknown" ? solution.because : "what was found does not prove that it breaks";
  return { verdict: "undecided", because };
}

/** What is found about two sets of documents serves every comparison of theirs, in both directions. */
const solvers = new WeakMap<SchemaSet, WeakMap<SchemaSet, Solver>>();

function solverFor(one: SchemaSet, other: SchemaSet): Solver {
  const known = solvers.get(one)?.get(other) ?? solvers.get(other)?.get(one);
  if (known !== undefined) return known;
  const solver = new Solver([one, other]);
  const ofOne = solvers.get(one) ?? new WeakMap<SchemaSet, Solver>();
  solvers.set(one, ofOne.set(other, solver));
  return solver;
}
