import { type Constraint, type Formula, type Literal, TYPES, type Type } from "./formula.js";
import { meaningOf } from "./meaning.js";

/** A conjunction: one of the ways in which a formula can be true. */
export interface Cell {
  readonly types: readonly Type[];
  readonly constraints: readonly Constraint[];
}

export interface ExpandOptions {
  /** The same text for schemas that mean the same. */
  readonly keyOf: (literal: Literal) => string;
  /** Is called for every step; throws to give up. */
  readonly step: () => void;
}

type Choice = Extract<Formula, { kind: "any" }>;

/** The ways in which all of `formulas` can be true, without those that contradict themselves plainly. */
export function* expand(formulas: readonly Formula[], options: ExpandOptions): Generator<Cell> {
  yield* new Expansion(options).expand(formulas, {
    types: TYPES,
    constraints: [],
    choices: [],
    literals: new Map(),
  });
}

interface State extends Cell {
  /** Choices that are still to be made. */
  readonly choices: readonly Choice[];
  /** What is already assumed of which schemas. */
  readonly literals: ReadonlyMap<string, boolean>;
}

class Expansion {
  readonly #options: ExpandOptions;

  constructor(options: ExpandOptions) {
    this.#options = options;
  }

  *expand(formulas: readonly Formula[], start: State): Generator<Cell> {
    this.#options.step();
    const state = this.#assume(formulas, start);
    if (state === undefined) return;
    // The fewest ways first: what contradicts is then found before much of it is tried.
    const choice = state.choices.toSorted((one, other) => one.of.length - other.of.length)[0];
    if (choice === undefined) {
      yield { types: state.types, constraints: state.constraints };
      return;
    }
    const choices = state.choices.filter((each) => each !== choice);
    for (const way of choice.of) yield* this.expand([way], { ...state, choices });
  }

  /** Undefined when the formulas contradict each other or what is assumed already. */
  #assume(formulas: readonly Formula[], start: State): State | undefined {
    let types = start.types;
    const constraints = [...start.constraints];
    const choices = [...start.choices];
    const literals = new Map(start.literals);
    const waiting = formulas.toReversed();
    for (let formula = waiting.pop(); formula !== undefined; formula = waiting.pop()) {
      if (formula.kind === "all") waiting.push(...formula.of.toReversed());
      else if (formula.kind === "any") {
        if (formula.of.length === 0) return undefined;
        if (formula.of.length === 1) waiting.push(...formula.of);
        else choices.push(formula);
      } else if (formula.kind === "schema") {
        const key = this.#options.keyOf(formula);
        const known = literals.get(key);
        if (known === !formula.holds) return undefined;
        if (known === undefined) {
          literals.set(key, formula.holds);
          waiting.push(meaningOf(formula));
        }
      } else if (formula.kind === "types") {
        const allowed = formula.types;
        types = types.filter((type) => allowed.includes(type));
        if (types.length === 0) return undefined;
      } else constraints.push(formula);
    }
    return { types, constraints, choices, literals };
  }
}
