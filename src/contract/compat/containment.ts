import { previewValue } from "../../base/text.js";
import { isValid, whyUnknown } from "./evaluator/evaluate.js";
import { holdsInexact } from "./schema/exact-numbers.js";
import type { SchemaLocation } from "./schema/schema-set.js";
import { subschemas } from "./schema/subschemas.js";
import type { Formula, Literal } from "./solver/logic/formula.js";
import { StepBudget } from "./solver/logic/solution.js";
import { SchemaClasses } from "./solver/schema-classes.js";
import { Solver } from "./solver/solver.js";

/** Whether a reader accepts every value that a writer may write. */
export type Containment =
  | { readonly verdict: "compatible" }
  | {
      readonly verdict: "breaking";
      /** A value that is valid under the writer's schema and not under the reader's. */
      readonly witness: unknown;
    }
  | { readonly verdict: "undecided"; readonly because: string };

/**
 * Checks that every value valid under `writer` is valid under `reader`. The verdict is `breaking` only with a
 * witness, and `compatible` only if none can exist.
 */
export function checkContainment(writer: SchemaLocation, reader: SchemaLocation): Containment {
  return new ContainmentCheck(writer, reader, new ContainmentContext()).check();
}

/** Checks containment of one pair of schemas, for all values or for some of them. */
export class ContainmentCheck {
  readonly #context: ContainmentContext;
  readonly #written: Literal;
  readonly #rejected: Literal;

  constructor(writer: SchemaLocation, reader: SchemaLocation, context: ContainmentContext) {
    this.#context = context;
    this.#written = { kind: "schema", location: writer, holds: true };
    this.#rejected = { kind: "schema", location: reader, holds: false };
  }

  /** Whether the writer may write a value. */
  mayWrite(value: unknown): boolean {
    return isValid(this.#written.location, value) === true;
  }

  /** Whether the writer certainly writes no value. */
  writesNothing(): boolean {
    const { solver, coverBudget } = this.#context;
    return solver.solve(coverBudget, this.#written).kind === "none";
  }

  /** Checks all values. */
  check(): Containment {
    return this.#check(this.#context.wholeBudget, this.#written, this.#rejected);
  }

  /** Checks the values that satisfy `violation`. `isEnough`: the reader is known to reject all of them. */
  checkWhere(violation: Formula, isEnough: boolean): Containment {
    return isEnough
      ? this.#check(this.#context.changeBudget, this.#written, violation)
      : this.#check(this.#context.changeBudget, this.#written, violation, this.#rejected);
  }

  #check(budget: StepBudget, ...formulas: readonly Formula[]): Containment {
    if (budget.isSpent) return { verdict: "undecided", because: budget.whyStopped };
    const { solver } = this.#context;
    const solution = solver.solve(budget, ...formulas);
    if (solution.kind === "none") return { verdict: "compatible" };
    if (solution.kind === "unknown") return { verdict: "undecided", because: solution.because };
    let first: Candidate | undefined;
    const reasons = new Set(solver.assumptions);
    const cost = VALIDATION_COST + (sizeOf(this.#written) + sizeOf(this.#rejected)) / 64;
    for (const witness of solver.candidates(budget, ...formulas)) {
      if (!budget.trySpend(cost)) break;
      if (!isPrintable(witness)) {
        reasons.add(UNPRINTABLE);
        break;
      }
      const verdicts = [this.#written, this.#rejected].map(({ location }) =>
        isValid(location, witness),
      );
      if (verdicts[0] === true && verdicts[1] === false) {
        return { verdict: "breaking", witness };
      }
      for (const because of solver.assumptions) reasons.add(because);
      const isRejected = verdicts[0] !== false && verdicts[1] === false;
      if (first === undefined || (isRejected && !first.isRejected)) {
        first = { value: witness, why: this.#whyUnknown(witness), isRejected };
      }
    }
    const isRounded = [this.#written, this.#rejected].some(({ location: { set } }) =>
      set.documents().some(holdsInexact),
    );
    if (isRounded && reasons.size === 0) reasons.add(ROUNDED);
    return { verdict: "undecided", because: whyUnproven([...reasons], first) };
  }

  #whyUnknown(witness: unknown): string | undefined {
    return (
      whyUnknown(this.#written.location, witness) ?? whyUnknown(this.#rejected.location, witness)
    );
  }
}

/** Limits on the values in a witness. A value that the solver found may share parts, so that it is larger than it seems. */
const MAX_VALUES = 50_000;
const MAX_NESTING = 500;
const UNPRINTABLE = `every record that would prove it has more than ${MAX_VALUES} values, or is nested more than ${MAX_NESTING} deep`;

function isPrintable(witness: unknown): boolean {
  let level = [witness];
  for (let [depth, count] = [0, 1]; level.length > 0; depth += 1) {
    level = level.flatMap((value): unknown[] =>
      typeof value === "object" ? Object.values(value ?? {}) : [],
    );
    count += level.length;
    if (count > MAX_VALUES || depth > MAX_NESTING) return false;
  }
  return true;
}

/** Steps for validating one value under both schemas, besides those for their size. */
const VALIDATION_COST = 10;

/** The number of direct subschemas, such as properties. */
function sizeOf({ location }: Literal): number {
  return subschemas(location.schema).length;
}

const ROUNDED = "no double holds a number of the schema";

/** A value that the solver found and that turned out to be no witness. */
interface Candidate {
  readonly value: unknown;
  /** Why there is no verdict on it; undefined if there is one. */
  readonly why: string | undefined;
  /** Whether it is a witness if the writer's schema accepts it, of which there is no verdict. */
  readonly isRejected: boolean;
}

/** Why something is unknown that the user can give. */
const ELSEWHERE = /^nobody knows what [a-z][a-z0-9+.-]*:/;

/** Longer records are cut in reasons. */
const MAX_SHOWN = 200;

function whyUnproven(reasons: readonly string[], candidate: Candidate | undefined): string {
  if (reasons.length > 0) {
    const unread = reasons.filter((each) => each.startsWith("nobody knows what "));
    const told = (unread.length > 0 ? unread : reasons).join("; ");
    if (unread.length === 0) return told;
    const hint = unread.some((each) => ELSEWHERE.test(each)) ? " (--schemas)" : "";
    if (candidate?.isRejected !== true) return told + hint;
    const text = JSON.stringify(candidate.value);
    const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
    return `${told}${hint}; it is a break if this may be written: ${shown}`;
  }
  if (candidate === undefined) return "too many combinations";
  const example = previewValue(candidate.value);
  return candidate.why === undefined
    ? `it is no proof of the expected break: ${example}`
    : `no verdict on a possible break, because ${candidate.why}: ${example}`;
}

/** What all checks of two versions share, in both directions: known classes, step budgets. */
export class ContainmentContext {
  readonly classes = new SchemaClasses();
  readonly solver = new Solver(this.classes);
  /** For verdicts on whole schemas: a few seconds for a question that cannot be decided. */
  readonly wholeBudget = new StepBudget({ each: 300_000, total: 1_500_000 });
  /** For witnesses of single changes, of which there may be a thousand. */
  readonly changeBudget = new StepBudget({ each: 50_000, total: 300_000 });
  /** For what members of unions accept, which is asked of each of them. */
  readonly coverBudget = new StepBudget({ each: 5_000, total: 100_000 });
}
