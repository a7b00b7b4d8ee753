import { allTagsOf, exclude, type Tags } from "./keywords/disjoint.js";
import {
  type Constraint,
  type Formula,
  type Literal,
  type PartLiteral,
  TYPES,
  type Type,
} from "./logic/formula.js";
import { formulaOf } from "./to-formula.js";

/** A conjunction: one way in which a formula can be true. */
export interface Cell {
  readonly types: readonly Type[];
  readonly constraints: readonly Constraint[];
}

interface ExpandOptions {
  /** The same text for equivalent schemas, and for equivalent parts. */
  readonly keyOf: (literal: Literal | PartLiteral) => string;
  /** Whether some value may satisfy a conjunction; false only if certainly none does. */
  readonly isPossible: (cell: Cell) => boolean;
  /** Called for each step with its cost; throws to stop the search. */
  readonly step: (cost: number) => void;
}

/** Size of the cache of what follows from one schema alone; it is cleared when full. */
const MAX_STARTS = 5000;

/** Finds the ways in which formulas can be true. */
export class Expander {
  readonly #expansion: Expansion;
  readonly #keyOf: ExpandOptions["keyOf"];
  readonly #starts = new Map<string, State | undefined>();

  constructor(options: ExpandOptions) {
    this.#expansion = new Expansion(options, true);
    this.#keyOf = options.keyOf;
  }

  /** The ways in which all of `formulas` can be true, without obvious contradictions. */
  *expand(formulas: readonly Formula[]): Generator<Cell> {
    const [first, ...others] = formulas;
    if (first?.kind !== "schema" || !first.holds) {
      yield* this.#expansion.expand(formulas, START);
      return;
    }
    const key = this.#keyOf(first);
    const start = this.#starts.has(key)
      ? this.#starts.get(key)
      : this.#expansion.settle([first], START);
    if (this.#starts.size >= MAX_STARTS) this.#starts.clear();
    this.#starts.set(key, start);
    if (start !== undefined) yield* this.#expansion.expand(others, start);
  }
}

/** A disjunction: one of its ways must be true. */
interface Choice {
  readonly ways: readonly Formula[];
  /** If given, the choice is equivalent to the negation of this literal. */
  readonly unless: Literal | undefined;
  /** Whether it comes from a failed part of a schema, a failed schema, or anything else. */
  readonly origin: Origin;
}

type Origin = "failed part" | "failed schema" | "demand";

/**
 * Choices with the fewest ways come first, so that contradictions are found early. Failed parts are cheap and
 * contradict most demands; how a whole schema fails says little until it is known what holds.
 */
const WEIGHTS: Readonly<Record<Origin, number>> = {
  "failed part": 0.5,
  demand: 1,
  "failed schema": 10,
};

/** A formula that is still to be assumed. */
interface Pending extends Partial<Pick<Choice, "unless" | "origin">> {
  readonly formula: Formula;
}

interface State extends Cell {
  /** Open choices. */
  readonly choices: readonly Choice[];
  /** Truth values assumed so far, by schema, part, or presence of a property. */
  readonly literals: ReadonlyMap<string, boolean>;
  /** Those of the schemas that are assumed to hold. */
  readonly tags: readonly Tags[];
}

const START: State = { types: TYPES, constraints: [], choices: [], literals: new Map(), tags: [] };

/** Limit on the ways that are tried to find a choice redundant. */
const MAX_WAYS = 50;

class Expansion {
  readonly #options: ExpandOptions;
  readonly #looksAhead: boolean;

  constructor(options: ExpandOptions, looksAhead: boolean) {
    this.#options = options;
    this.#looksAhead = looksAhead;
  }

  *expand(formulas: readonly Formula[], start: State): Generator<Cell> {
    const settled = this.settle(formulas, start);
    if (settled === undefined) return;
    const isForked = settled.choices.length > 0;
    if (isForked && this.#looksAhead && !this.#options.isPossible(settled)) return;
    const state = this.#looksAhead ? this.#dropNeedless(settled) : settled;
    const choice = state.choices.toSorted((one, other) => weightOf(one) - weightOf(other))[0];
    if (choice === undefined) {
      yield { types: state.types, constraints: state.constraints };
      return;
    }
    const choices = state.choices.filter((each) => each !== choice);
    for (const way of choice.ways) yield* this.expand([way], { ...state, choices });
  }

  /** Assumes the formulas, and whatever follows because only one way is left. Undefined for a contradiction. */
  settle(formulas: readonly Formula[], start: State): State | undefined {
    let state = this.#assume(formulas, start);
    while (state !== undefined) {
      const { choices } = state;
      const left: Choice[] = [];
      const followed: Formula[] = [];
      for (const choice of choices) {
        if (choice.unless !== undefined && isExcluded(choice.unless, state)) continue;
        const open = this.#openWays(choice, state);
        if (open === undefined) continue;
        const [only, ...others] = open;
        if (only === undefined) return undefined;
        if (others.length === 0) followed.push(only);
        else left.push({ ...choice, ways: open });
      }
      state = { ...state, choices: left };
      if (followed.length === 0) return state;
      state = this.#assume(followed, state);
    }
    return undefined;
  }

  /** The ways that do not contradict the assumptions; undefined if one of them already holds. */
  #openWays({ ways }: Choice, state: State): readonly Formula[] | undefined {
    this.#options.step(1 + ways.length / 16);
    const open: Formula[] = [];
    for (const way of ways) {
      const truth = this.#truthOf(way, state);
      if (truth === true) return undefined;
      if (truth === undefined) open.push(way);
    }
    return open;
  }

  /** The truth of a formula, if the assumptions decide it directly. */
  #truthOf(formula: Formula, state: State): boolean | undefined {
    switch (formula.kind) {
      case "schema": {
        if (typeof formula.location.schema === "boolean") {
          return formula.location.schema === formula.holds;
        }
        const known = state.literals.get(this.#options.keyOf(formula));
        if (known !== undefined) return known === formula.holds;
        return isExcluded(formula, state) ? !formula.holds : undefined;
      }
      case "part": {
        const known = state.literals.get(this.#options.keyOf(formula));
        if (known !== undefined) return known === formula.holds;
        return this.#truthOf(formula.is, state);
      }
      case "types":
        if (state.types.every((type) => formula.types.includes(type))) return true;
        return state.types.some((type) => formula.types.includes(type)) ? undefined : false;
      case "required":
      case "absent": {
        const known = state.literals.get(presenceOf(formula.name));
        if (known === (formula.kind === "required")) return true;
        // Of values that are no objects, both are true.
        return known !== undefined && state.types.every((type) => type === "object")
          ? false
          : undefined;
      }
      case "all":
        return this.#truthOfMany(formula.of, true, state);
      case "any":
        return this.#truthOfMany(formula.of, false, state);
      default:
        return undefined;
    }
  }

  /** The same for a conjunction (`rest` true) or a disjunction (`rest` false). */
  #truthOfMany(formulas: readonly Formula[], rest: boolean, state: State): boolean | undefined {
    let truth: boolean | undefined = rest;
    for (const formula of formulas) {
      const each = this.#truthOf(formula, state);
      if (each === !rest) return each;
      if (each === undefined) truth = undefined;
    }
    return truth;
  }

  /** Removes choices that follow from everything else. */
  #dropNeedless(state: State): State {
    if (state.choices.length < 2) return state;
    const literals = new Map(state.literals);
    const choices: Choice[] = [];
    for (const choice of state.choices) {
      const { unless } = choice;
      if (unless === undefined) {
        choices.push(choice);
        continue;
      }
      const key = this.#options.keyOf(unless);
      literals.delete(key);
      if (!this.#canHold(unless, { ...state, literals })) continue;
      literals.set(key, false);
      // Tried once: repeating this for every way of the other choices would take too long.
      choices.push({ ...choice, unless: undefined });
    }
    return { ...state, choices, literals };
  }

  #canHold(literal: Literal, state: State): boolean {
    const cells = new Expansion(this.#options, false).expand([literal], { ...state, choices: [] });
    let ways = 0;
    for (const cell of cells) {
      ways += 1;
      if (ways > MAX_WAYS || this.#options.isPossible(cell)) return true;
    }
    return false;
  }

  /** Undefined if the formulas contradict each other or the assumptions. */
  #assume(formulas: readonly Formula[], start: State): State | undefined {
    this.#options.step(2 + (start.constraints.length + start.literals.size) / 16);
    let types = start.types;
    const constraints = [...start.constraints];
    const choices = [...start.choices];
    const literals = new Map(start.literals);
    const tags = [...start.tags];
    const waiting: Pending[] = formulas.toReversed().map((formula) => ({ formula }));
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { formula, unless, origin = "demand" } = next;
      switch (formula.kind) {
        case "all":
          for (const each of formula.of.toReversed()) waiting.push({ formula: each });
          break;
        case "any":
          choices.push({ ways: formula.of, unless, origin });
          break;
        case "schema":
        case "part": {
          const key = this.#options.keyOf(formula);
          const known = literals.get(key);
          if (known === !formula.holds) return undefined;
          if (known !== undefined) break;
          literals.set(key, formula.holds);
          if (formula.kind === "part") {
            waiting.push({ formula: formula.is, origin: formula.holds ? "demand" : "failed part" });
          } else if (formula.holds) {
            const own = allTagsOf(formula.location);
            if (own.size > 0) tags.push(own);
            waiting.push({ formula: formulaOf(formula) });
          } else {
            const unless = { ...formula, holds: true };
            waiting.push({ formula: formulaOf(formula), unless, origin: "failed schema" });
          }
          break;
        }
        case "types": {
          const allowed = formula.types;
          types = types.filter((type) => allowed.includes(type));
          if (types.length === 0) return undefined;
          break;
        }
        case "required":
        case "absent":
          literals.set(presenceOf(formula.name), formula.kind === "required");
          constraints.push(formula);
          break;
        default:
          constraints.push(formula);
      }
    }
    return { types, constraints, choices, literals, tags };
  }
}

/** Whether what is assumed to hold has other constants than a schema requires. */
function isExcluded({ location }: Literal, { tags }: State): boolean {
  return tags.length > 0 && tags.some((each) => exclude(each, allTagsOf(location)));
}

/** No name of a schema or part has a space. */
function presenceOf(name: string): string {
  return `has ${name}`;
}

function weightOf({ ways, origin }: Choice): number {
  return WEIGHTS[origin] * ways.length;
}
