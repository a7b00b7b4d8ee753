import canonicalize from "canonicalize";
import { admits } from "./admits.js";
import { type Cell, expand } from "./expand.js";
import { Fingerprints } from "./fingerprint.js";
import type { Constraint, Formula, Literal, Type } from "./formula.js";
import { isEqual, typeOf } from "./json-type.js";
import { found, NONE, type Solution, unknown } from "./solution.js";
import { solveArray } from "./types/array.js";
import { solveNumber } from "./types/number.js";
import { solveObject } from "./types/object.js";
import { solveString } from "./types/string.js";
import { excludedValues, ofKind, type SolveContext, type TypeSolver } from "./types/type-solver.js";

/** Steps after which nobody knows: some seconds. */
const MAX_STEPS = 200_000;

class GivenUp extends Error {}

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

/**
 * Finds values of which formulas over schemas are true, or knows that there are none. What cannot be modelled
 * is taken for true: there is none for certain, but a value that was found has to be held against the schemas.
 */
export class Solver {
  readonly #fingerprints = new Fingerprints();
  readonly #texts = new WeakMap<Formula, string>();
  readonly #solutions = new Map<string, Solution>();
  /** What is being solved, from the outside in. */
  readonly #open: string[] = [];
  /** The outermost of them that a result rests on, by its index. */
  #restsOn = Number.POSITIVE_INFINITY;
  #steps = 0;

  solve(...formulas: readonly Formula[]): Solution {
    this.#steps = 0;
    try {
      return this.#solve(formulas);
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
      this.#open.length = 0;
      return unknown("too many combinations");
    }
  }

  /** Values to be held against the schemas: one for each way in which the formulas can be true. */
  *candidates(...formulas: readonly Formula[]): Generator<unknown> {
    this.#steps = 0;
    try {
      for (const cell of this.#expand(formulas)) {
        for (const solution of this.#solveCell(cell)) {
          if (solution.kind === "value") yield solution.value;
        }
      }
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
      this.#open.length = 0;
    }
  }

  #solve(formulas: readonly Formula[]): Solution {
    const key = this.#keyOf(formulas);
    const known = this.#solutions.get(key);
    if (known !== undefined) return known;
    const at = this.#open.indexOf(key);
    if (at >= 0) {
      // A smallest value does not hold another one like itself.
      this.#restsOn = Math.min(this.#restsOn, at);
      return NONE;
    }
    const depth = this.#open.push(key) - 1;
    const solution = this.#solveAny(formulas);
    this.#open.pop();
    const isSettled = solution.kind === "value" || this.#restsOn >= depth;
    if (isSettled) this.#solutions.set(key, solution);
    if (this.#restsOn >= depth) this.#restsOn = Number.POSITIVE_INFINITY;
    return solution;
  }

  #solveAny(formulas: readonly Formula[]): Solution {
    let doubt: Solution | undefined;
    for (const cell of this.#expand(formulas)) {
      for (const solution of this.#solveCell(cell)) {
        if (solution.kind === "value") return solution;
        if (solution.kind === "unknown") doubt = solution;
      }
    }
    return doubt ?? NONE;
  }

  #expand(formulas: readonly Formula[]): Generator<Cell> {
    const keyOf = ({ location }: Literal): string => this.#fingerprints.of(location);
    return expand(formulas, { keyOf, step: this.#step });
  }

  /** For each type that the cell leaves over a solution. */
  *#solveCell({ types, constraints }: Cell): Generator<Solution> {
    const opaque = ofKind(constraints, "opaque");
    const isContradiction = opaque.some(
      ({ what, holds }) =>
        what !== undefined && opaque.some((other) => other.what === what && other.holds !== holds),
    );
    if (isContradiction) return;
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
      if (!types.includes(typeOf(value))) continue;
      const verdicts = constraints.map((constraint) => admits(constraint, value, context));
      if (!verdicts.includes(false)) yield found(value);
    }
  }

  readonly #step = (): void => {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) throw new GivenUp();
  };

  #keyOf(formulas: readonly Formula[]): string {
    return [...new Set(formulas.map((formula) => this.#textOf(formula)))].sort().join(" ");
  }

  #textOf(formula: Formula): string {
    const known = this.#texts.get(formula);
    if (known !== undefined) return known;
    const text = canonicalize(this.#plain(formula)) ?? "";
    this.#texts.set(formula, text);
    return text;
  }

  /** The formula with a text for each schema. */
  #plain(formula: Formula): unknown {
    if (formula.kind === "schema") {
      return [this.#fingerprints.of(formula.location), formula.holds];
    }
    if (formula.kind === "all" || formula.kind === "any") {
      return { ...formula, of: formula.of.map((each) => this.#plain(each)) };
    }
    if ("location" in formula) {
      return {
        ...formula,
        location: this.#fingerprints.of(formula.location),
        max: `${formula.max}`,
      };
    }
    const texts = Object.entries(formula).map(([name, value]) => [
      name,
      value === Number.POSITIVE_INFINITY ? "Infinity" : value,
    ]);
    const plain = Object.fromEntries(texts);
    return "is" in formula ? { ...plain, is: this.#plain(formula.is) } : plain;
  }
}
