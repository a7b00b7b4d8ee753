import { HOLE, type SchemaLocation, WRITTEN_WHOLE } from "../schema/schema-set.js";
import { type Cell, Expander } from "./expand.js";
import { WHOLE } from "./keywords/scalars.js";
import type { Constraint, Formula, Type } from "./logic/formula.js";
import { found, GivenUp, NONE, type Solution, StepBudget, unknown } from "./logic/solution.js";
import { isEqual, typeOf } from "./logic/values.js";
import { satisfies } from "./satisfies.js";
import type { SchemaClasses } from "./schema-classes.js";
import { solveArray } from "./types/array.js";
import { solveNumber } from "./types/number.js";
import { solveObject } from "./types/object.js";
import { solveString } from "./types/string.js";
import { excludedValues, ofKind, type SolveContext, type TypeSolver } from "./types/type-solver.js";

/** Longer numbers are cut in messages. */
const MAX_DIGITS = 60;

/** Why an opaque constraint is unknown. */
function toAssumption({
  keyword,
  what = "",
  number,
}: Extract<Constraint, { readonly kind: "opaque" }>): string {
  if (number !== undefined) {
    const shown = number.length > MAX_DIGITS ? `${number.slice(0, MAX_DIGITS)}...` : number;
    return `no double holds a number of the schema: ${shown}`;
  }
  if (keyword === HOLE) return `nobody knows what ${what} accepts`;
  if (keyword === WRITTEN_WHOLE) return "1.0 is no integer in draft-04, and records may have it";
  if (keyword === "format") return `\`format\` ${JSON.stringify(what)} is not known`;
  if (keyword === "oneOf") return "`oneOf` has too many members that may overlap";
  return `\`${keyword}\` has too many cases to follow`;
}

/** Size of the cache of solutions; it is cleared when full. */
const MAX_SOLUTIONS = 50_000;

/** Questions inside more questions than these, as for properties of properties, are put off. */
const MAX_DEPTH = 200;

/** What rests on a question that was put off. */
const OUTSIDE = -1;

const TOO_DEEP = "nested too deeply: compare a part of the schema";

const solvers: Readonly<Record<Type, TypeSolver>> = {
  null: (constraints) => solveFinite([null], constraints),
  boolean: (constraints) => solveFinite([true, false], constraints),
  number: solveNumber,
  string: solveString,
  array: solveArray,
  object: solveObject,
};

function solveFinite(values: readonly unknown[], constraints: readonly Constraint[]): Solution {
  const excluded = excludedValues(constraints);
  const value = values.find((each) => !excluded.some((other) => isEqual(each, other)));
  return value === undefined ? NONE : found(value);
}

interface Solved {
  readonly solution: Solution;
  readonly assumptions: ReadonlySet<string>;
}

interface Pending extends Pick<Solved, "assumptions"> {
  /** Depth of the outermost open question that it, or one that was answered before it, rests on. */
  readonly restsOn: number;
}

/**
 * Finds values that satisfy formulas over schemas, or shows that there are none. Constraints that cannot be modelled
 * are assumed to hold: so "none" is certain, but a found value has to be validated against the schemas.
 */
export class Solver {
  readonly #classes: SchemaClasses;
  /** Short names for long texts. */
  readonly #names = new Map<string, string>();
  readonly #expander = new Expander({
    keyOf: (literal) =>
      literal.kind === "schema" ? this.#classes.of(literal.location) : this.#textOf(literal.demand),
    isPossible: (cell) => {
      for (const { kind } of this.#solveCell(cell)) if (kind !== "none") return true;
      return false;
    },
    step: (cost) => this.#step(cost),
  });
  readonly #texts = new WeakMap<Formula, string>();
  readonly #solutions = new Map<string, Solved>();
  /** Why the values that are found may be none: constraints that they are assumed to satisfy. */
  #assumptions = new Set<string>();
  /** Questions being solved, from the outside in. */
  readonly #open = new Map<string, number>();
  /** Depth of the outermost open question that a result rests on. */
  #restsOn = Number.POSITIVE_INFINITY;
  /** Questions without a solution if those that are open have none, in the order in which they were answered. */
  readonly #pending = new Map<string, Pending>();
  #pendingKeys: string[] = [];
  /** Questions that are asked by themselves once those around them are answered as if they had no solution. */
  readonly #putOff = new Map<string, readonly Formula[]>();
  #budget = new StepBudget({ each: 0, total: 0 });

  constructor(classes: SchemaClasses) {
    this.#classes = classes;
  }

  solve(budget: StepBudget, ...formulas: readonly Formula[]): Solution {
    this.#begin(budget);
    try {
      for (;;) {
        const solution = this.#solve(formulas);
        if (solution.kind !== "none" || this.#arePutOffUnsolved()) return solution;
      }
    } catch (error) {
      return unknown(whyGivenUp(error));
    }
  }

  /** Answers the questions that were put off. If one of them has a solution, whatever has none so far is asked again. */
  #arePutOffUnsolved(): boolean {
    let outcome = NONE;
    for (const formulas of this.#putOff.values()) {
      const solution = this.#solve(formulas);
      if (solution.kind === "unknown") throw new GivenUp(solution.because);
      if (solution.kind === "value") outcome = solution;
    }
    this.#putOff.clear();
    this.#settlePending(0, outcome);
    return outcome === NONE;
  }

  /** Values to validate: one for each way in which the formulas can be true. */
  *candidates(budget: StepBudget, ...formulas: readonly Formula[]): Generator<unknown> {
    this.#begin(budget);
    // A value that rests on no assumption comes first.
    const known = this.#solutions.get(this.#keyOf(formulas));
    if (known?.solution.kind === "value" && known.assumptions.size === 0)
      yield known.solution.value;
    try {
      for (const cell of this.#expander.expand(formulas)) {
        // Each way has its own assumptions.
        this.#assumptions = new Set();
        for (const solution of this.#solveCell(cell)) {
          if (solution.kind !== "value") continue;
          this.#assumeOpaque(cell);
          yield solution.value;
        }
      }
    } catch (error) {
      whyGivenUp(error);
    }
  }

  /** Assumptions behind the value that was found last. */
  get assumptions(): readonly string[] {
    return [...this.#assumptions];
  }

  #assumeOpaque({ constraints }: Cell): void {
    for (const each of ofKind(constraints, "opaque")) {
      // Any integer can be written so.
      if (each.what !== WHOLE) this.#assumptions.add(toAssumption(each));
    }
  }

  #assumeAll(assumptions: Iterable<string>): void {
    for (const each of assumptions) this.#assumptions.add(each);
  }

  #begin(budget: StepBudget): void {
    this.#budget = budget;
    this.#assumptions = new Set();
    budget.begin();
    this.#open.clear();
    this.#pending.clear();
    this.#pendingKeys = [];
    this.#putOff.clear();
    this.#restsOn = Number.POSITIVE_INFINITY;
    if (this.#solutions.size > MAX_SOLUTIONS) this.#solutions.clear();
  }

  #solve(formulas: readonly Formula[]): Solution {
    const key = this.#keyOf(formulas);
    const known = this.#solutions.get(key);
    if (known !== undefined) {
      this.#assumeAll(known.assumptions);
      return known.solution;
    }
    const at = this.#open.get(key);
    if (at !== undefined) {
      // Induction: a smallest solution never contains a solution of the same question.
      this.#restsOn = Math.min(this.#restsOn, at);
      return NONE;
    }
    const pending = this.#pending.get(key);
    if (pending !== undefined) {
      this.#restsOn = Math.min(this.#restsOn, this.#outermostPending());
      return NONE;
    }
    const depth = this.#open.size;
    if (depth > MAX_DEPTH) {
      this.#putOff.set(key, formulas);
      this.#restsOn = OUTSIDE;
      return NONE;
    }
    this.#open.set(key, depth);
    const outer = { assumptions: this.#assumptions, restsOn: this.#restsOn };
    const before = this.#pendingKeys.length;
    const assumptions = new Set<string>();
    this.#assumptions = assumptions;
    this.#restsOn = Number.POSITIVE_INFINITY;
    const solution = this.#solveAny(formulas);
    const isSettled = solution.kind === "value" || this.#restsOn >= depth;
    const restsOn = isSettled ? Number.POSITIVE_INFINITY : this.#restsOn;
    this.#assumptions = outer.assumptions;
    this.#assumeAll(assumptions);
    this.#open.delete(key);
    if (isSettled || solution.kind !== "none") this.#settlePending(before, solution);
    if (isSettled) this.#solutions.set(key, { solution, assumptions });
    else if (solution.kind === "none") {
      this.#pending.set(key, { assumptions, restsOn: Math.min(restsOn, this.#outermostPending()) });
      this.#pendingKeys.push(key);
    }
    this.#restsOn = Math.min(outer.restsOn, restsOn);
    return solution;
  }

  /** Depth of the outermost open question that any pending one rests on. */
  #outermostPending(): number {
    return this.#pending.get(this.#pendingKeys.at(-1) ?? "")?.restsOn ?? Number.POSITIVE_INFINITY;
  }

  /** Settles what was answered within a question: if that has no solution, nor do they; else they are asked again. */
  #settlePending(from: number, { kind }: Solution): void {
    for (const key of this.#pendingKeys.splice(from)) {
      const { assumptions = new Set<string>() } = this.#pending.get(key) ?? {};
      if (kind === "none") this.#solutions.set(key, { solution: NONE, assumptions });
      this.#pending.delete(key);
    }
  }

  #solveAny(formulas: readonly Formula[]): Solution {
    let undecided: Solution | undefined;
    for (const cell of this.#expander.expand(formulas)) {
      for (const solution of this.#solveCell(cell)) {
        if (solution.kind === "value") {
          this.#assumeOpaque(cell);
          return solution;
        }
        if (solution.kind === "unknown") undecided = solution;
      }
    }
    return undecided ?? NONE;
  }

  /** A solution for each type that the cell allows. */
  *#solveCell({ types, constraints }: Cell): Generator<Solution> {
    this.#step(1 + constraints.length / 4);
    const context: SolveContext = {
      solve: (...inner) => this.#solve(inner),
      step: this.#step,
    };
    const [finite] = ofKind(constraints, "values").filter(({ among }) => among);
    if (finite === undefined) {
      for (const type of types) yield solvers[type](constraints, context);
      return;
    }
    for (const value of finite.values) {
      this.#step(constraints.length / 16);
      if (!types.includes(typeOf(value))) continue;
      const verdicts = constraints.map((constraint) => satisfies(constraint, value, context));
      if (!verdicts.includes(false)) yield found(value);
    }
  }

  readonly #step = (cost = 1): void => {
    this.#budget.spend(cost);
  };

  #keyOf(formulas: readonly Formula[]): string {
    return [...new Set(formulas.map((formula) => this.#textOf(formula)))].sort().join(" ");
  }

  /** The same text for equivalent formulas. */
  #textOf(formula: Formula): string {
    const known = this.#texts.get(formula);
    if (known !== undefined) return known;
    const isUnlike = formula.kind === "opaque" && formula.what === undefined;
    const text = isUnlike ? `unlike ${this.#names.size}` : this.#write(formula);
    const name = this.#names.get(text) ?? `f${this.#names.size}`;
    this.#names.set(text, name);
    this.#texts.set(formula, name);
    return name;
  }

  readonly #writeEntry = ([name, value]: readonly [string, unknown]): string => {
    if (name === "is") return this.#textOf(value as Formula);
    if (name === "location") return this.#classes.of(value as SchemaLocation);
    // JSON has no infinity.
    return typeof value === "number" ? String(value) : JSON.stringify(value);
  };

  #write(formula: Formula): string {
    switch (formula.kind) {
      case "schema":
        return `${formula.holds} ${this.#classes.of(formula.location)}`;
      case "part":
        return `${formula.holds} ${this.#textOf(formula.demand)}`;
      case "all":
      case "any":
        return `${formula.kind} ${formula.of.map((each) => this.#textOf(each)).join(" ")}`;
      default:
        return Object.entries(formula).map(this.#writeEntry).join(" ");
    }
  }
}

/** Why the search stopped; rethrows unexpected errors. */
function whyGivenUp(error: unknown): string {
  if (error instanceof GivenUp) return error.message;
  if (error instanceof RangeError) return TOO_DEEP;
  throw error;
}
