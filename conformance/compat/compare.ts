import { previewValue } from "../../src/records/preview-value.js";
import { judgeOf } from "./judge-of.js";
import type { Formula, Literal } from "./satisfiability/formula.js";
import { Solver } from "./satisfiability/solver.js";
import { StepBudget, type StepLimits } from "./satisfiability/step-budget.js";
import type { SchemaLocation, SchemaSet } from "./schema-set.js";

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
  return new Comparer(writer, reader).compare();
}

/** For verdicts: some seconds for a question that cannot be answered. */
const VERDICT_STEPS: StepLimits = { each: 300_000, total: 1_500_000 };

/** For the records that show what a single change breaks, of which there may be a thousand. */
const CHANGE_STEPS: StepLimits = { each: 50_000, total: 300_000 };

/** What is found about two sets of documents serves every comparison of theirs, in both directions. */
interface Search {
  readonly solver: Solver;
  readonly verdicts: StepBudget;
  readonly changes: StepBudget;
}

/** Compares what a writer may write with what a reader accepts, as a whole and in parts. */
export class Comparer {
  readonly #search: Search;
  readonly #written: Literal;
  readonly #rejected: Literal;

  constructor(writer: SchemaLocation, reader: SchemaLocation) {
    this.#search = searchFor(writer.set, reader.set);
    this.#written = { kind: "schema", location: writer, holds: true };
    this.#rejected = { kind: "schema", location: reader, holds: false };
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
    const { solver } = this.#search;
    const solution = solver.solve(budget, ...formulas);
    if (solution.kind === "none") return { verdict: "compatible" };
    if (solution.kind === "unknown") return { verdict: "undecided", because: solution.because };
    const [writer, reader] = [judgeOf(this.#written.location), judgeOf(this.#rejected.location)];
    const problem = writer.problem ?? reader.problem;
    if (problem !== undefined) return { verdict: "undecided", because: problem };
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
    return { verdict: "undecided", because: whyUnproven([...doubts], first) };
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

const searches = new WeakMap<SchemaSet, WeakMap<SchemaSet, Search>>();

function searchFor(one: SchemaSet, other: SchemaSet): Search {
  const known = searches.get(one)?.get(other) ?? searches.get(other)?.get(one);
  if (known !== undefined) return known;
  const search: Search = {
    solver: new Solver(),
    verdicts: new StepBudget(VERDICT_STEPS),
    changes: new StepBudget(CHANGE_STEPS),
  };
  const ofOne = searches.get(one) ?? new WeakMap<SchemaSet, Search>();
  searches.set(one, ofOne.set(other, search));
  return search;
}
