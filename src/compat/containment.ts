import { previewValue } from "../text.js";
import type { SchemaLocation } from "./schema-set.js";
import type { Formula, Literal } from "./solver/formula.js";
import { SchemaClasses } from "./solver/schema-classes.js";
import { StepBudget } from "./solver/solution.js";
import { Solver } from "./solver/solver.js";
import { ClassJudges } from "./validators.js";

/** Whether a reader accepts all that a writer may write. */
export type Comparison =
  | { readonly verdict: "compatible" }
  | {
      readonly verdict: "breaking";
      /** A value that is valid to the writer and not to the reader: Ajv says so. */
      readonly witness: unknown;
      /** Where draft 2020-12 may read the keywords otherwise that the witness meets. */
      readonly byAjv?: string;
    }
  | { readonly verdict: "undecided"; readonly because: string };

/**
 * Whether every value that is valid under `writer` is valid under `reader`: `breaking` only with a value that
 * proves it, `compatible` only when it is certain that there is none.
 */
export function compare(writer: SchemaLocation, reader: SchemaLocation): Comparison {
  return new Comparer(writer, reader, new Search()).compare();
}

/** Compares what a writer may write with what a reader accepts, as a whole and in parts. */
export class Comparer {
  readonly #search: Search;
  readonly #written: Literal;
  readonly #rejected: Literal;

  constructor(writer: SchemaLocation, reader: SchemaLocation, search: Search) {
    this.#search = search;
    this.#written = { kind: "schema", location: writer, holds: true };
    this.#rejected = { kind: "schema", location: reader, holds: false };
  }

  /** Whether the writer may write a value: true only where nobody can read its schema otherwise than Ajv does. */
  mayWrite(value: unknown): boolean {
    const { judges } = this.#search;
    const { location } = this.#written;
    return judges.isPartible(location.set) && judges.of(location).isValid(value) === true;
  }

  compare(): Comparison {
    return this.#compare(this.#search.verdicts, this.#written, this.#rejected);
  }

  /**
   * The same for the values of which `violation` is true alone. `isEnough`: the reader rejects all of them, so
   * that nothing else about it matters.
   */
  compareWhere(violation: Formula, isEnough: boolean): Comparison {
    return isEnough
      ? this.#compare(this.#search.changes, this.#written, violation)
      : this.#compare(this.#search.changes, this.#written, violation, this.#rejected);
  }

  #compare(budget: StepBudget, ...formulas: readonly Formula[]): Comparison {
    const { solver, judges } = this.#search;
    const solution = solver.solve(budget, ...formulas);
    if (solution.kind === "none") return { verdict: "compatible" };
    if (solution.kind === "unknown") return { verdict: "undecided", because: solution.because };
    const [writer, reader] = [
      judges.of(this.#written.location),
      judges.of(this.#rejected.location),
    ];
    let first: Tried | undefined;
    const doubts = new Set(solver.doubts.map(({ because }) => because));
    for (const witness of solver.candidates(budget, ...formulas)) {
      const verdicts = [writer.isValid(witness), reader.isValid(witness)];
      if (verdicts[0] === true && verdicts[1] === false) {
        const readings = solver.doubts.filter(({ isReadByAjv }) => isReadByAjv);
        const byAjv = readings.map(({ because }) => because).join("; ");
        return { verdict: "breaking", witness, ...(byAjv !== "" && { byAjv }) };
      }
      for (const { because } of solver.doubts) doubts.add(because);
      first ??= { witness, isJudged: !verdicts.includes(undefined) };
    }
    const problem = writer.problem ?? reader.problem;
    return { verdict: "undecided", because: problem ?? whyUnproven([...doubts], first) };
  }
}

/** A value that proves nothing. */
interface Tried {
  readonly witness: unknown;
  /** Whether Ajv had a verdict on it. */
  readonly isJudged: boolean;
}

function whyUnproven(doubts: readonly string[], tried: Tried | undefined): string {
  if (doubts.length > 0) return doubts.join("; ");
  if (tried === undefined) return "too many combinations";
  const example = previewValue(tried.witness);
  return tried.isJudged
    ? `what should break, Ajv does not bear out: ${example}`
    : `Ajv comes to no verdict on what may break: ${example}`;
}

/** What is found while two versions are compared, which serves every question about them, in both directions. */
export class Search {
  readonly classes = new SchemaClasses();
  readonly solver = new Solver(this.classes);
  readonly judges = new ClassJudges(this.classes);
  /** For verdicts: some seconds for a question that cannot be answered. */
  readonly verdicts = new StepBudget({ each: 300_000, total: 1_500_000 });
  /** For the records that show what a single change breaks, of which there may be a thousand. */
  readonly changes = new StepBudget({ each: 50_000, total: 300_000 });
}
