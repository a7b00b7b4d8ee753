import { isJsonObject } from "../../../../base/json/value.js";
import type { Constraint, Formula } from "../logic/formula.js";
import { found, NONE, type Solution, unknown } from "../logic/solution.js";
import { isEqual } from "../logic/values.js";
import { PropertyRules, type Wish } from "./property-rules.js";
import {
  countRange,
  excludedValues,
  findValues,
  ofKind,
  type SolveContext,
} from "./type-solver.js";

export function solveObject(constraints: readonly Constraint[], context: SolveContext): Solution {
  const { min, max } = countRange(constraints, "property-count");
  const required = new Set(ofKind(constraints, "required").map(({ name }) => name));
  const absent = new Set(ofKind(constraints, "absent").map(({ name }) => name));
  if (min > max || required.size > max) return NONE;
  for (const name of required) if (absent.has(name)) return NONE;
  const excluded = excludedValues(constraints).filter(isJsonObject);
  const rules = new PropertyRules(constraints, context);
  return new Search({ rules, min, max, absent, excluded }, context).solve(required);
}

interface Demands {
  readonly rules: PropertyRules;
  readonly min: number;
  readonly max: number;
  readonly absent: ReadonlySet<string>;
  readonly excluded: readonly unknown[];
}

/** Properties that the object will have, by name, with additional demands on their values. */
type Chosen = ReadonlyMap<string, readonly Formula[]>;

class Search {
  readonly #demands: Demands;
  readonly #context: SolveContext;
  /** With this many values or names to choose from, one gives an object that is not excluded. */
  readonly #variety: number;
  #undecidedBecause: string | undefined;

  constructor(demands: Demands, context: SolveContext) {
    this.#demands = demands;
    this.#context = context;
    this.#variety = demands.excluded.length + 1;
  }

  solve(required: ReadonlySet<string>): Solution {
    const chosen = new Map<string, readonly Formula[]>();
    for (const name of required) {
      if (this.#propertySolution(name, []).kind === "none") return NONE;
      chosen.set(name, []);
    }
    for (const value of this.#grant(this.#demands.rules.wishes, chosen)) {
      if (!this.#demands.excluded.some((each) => isEqual(each, value))) return found(value);
    }
    return this.#undecidedBecause === undefined ? NONE : unknown(this.#undecidedBecause);
  }

  /** Objects for every assignment of wishes to properties. */
  *#grant([wish, ...others]: readonly Wish[], chosen: Chosen): Generator<object> {
    this.#context.step();
    if (wish === undefined) {
      yield* this.#fillUp(chosen);
      return;
    }
    const mentioned = wish.only === undefined ? this.#demands.rules.mentioned : [];
    const known = new Set([...chosen.keys(), ...mentioned]);
    for (const name of wish.only ?? known) {
      if (!wish.mayBe(name)) continue;
      const demands = [...(chosen.get(name) ?? []), ...wish.value];
      if (!this.#isPossible(name, demands, wish.name)) continue;
      yield* this.#grant(others, new Map(chosen).set(name, demands));
    }
    if (wish.only !== undefined) return;
    for (const name of this.#newNames(known, wish.name, this.#variety)) {
      if (!this.#isPossible(name, wish.value, [])) continue;
      yield* this.#grant(others, new Map(chosen).set(name, wish.value));
    }
  }

  /** Objects with the chosen properties, and as many others as needed. */
  *#fillUp(chosen: Chosen): Generator<object> {
    const { min, max } = this.#demands;
    if (chosen.size > max) return;
    const isSettled = chosen.size >= min && this.#variety === 1;
    const free = isSettled ? [] : this.#freeNames(chosen);
    for (const names of this.#subsets(free, Math.max(0, min - chosen.size), max - chosen.size)) {
      const all = new Map(chosen);
      for (const name of names) all.set(name, []);
      yield* this.#valued([...all]);
    }
  }

  /** Subsets of at least `min` and at most `max` members. */
  *#subsets(names: Iterable<string>, min: number, max: number): Generator<readonly string[]> {
    const list: string[] = [];
    const left = names[Symbol.iterator]();
    const at = (index: number): string | undefined => {
      const next = index < list.length ? undefined : left.next();
      if (next !== undefined && next.done !== true) list.push(next.value);
      return list[index];
    };
    const { step } = this.#context;
    function* extend(subset: readonly string[], from: number): Generator<readonly string[]> {
      step();
      if (subset.length >= min) yield subset;
      if (subset.length >= max) return;
      let index = from;
      for (let name = at(index); name !== undefined; name = at(index)) {
        index += 1;
        yield* extend([...subset, name], index);
      }
    }
    yield* extend([], 0);
  }

  /** Objects with values for all properties. */
  *#valued(properties: readonly (readonly [string, readonly Formula[]])[]): Generator<object> {
    const { rules } = this.#demands;
    const domains: [string, readonly unknown[]][] = [];
    for (const [name, demands] of properties) {
      const all = [...rules.demandsOf(name), ...demands];
      const { values, undecidedBecause } = findValues(all, this.#variety, this.#context);
      this.#undecidedBecause ??= undecidedBecause;
      if (values.length === 0) return;
      domains.push([name, values]);
    }
    for (const values of combine(domains.map(([, values]) => values))) {
      this.#context.step();
      yield Object.fromEntries(domains.map(([name], index) => [name, values[index]]));
    }
  }

  /** Further possible names; the empty one comes last, because it confuses readers. */
  *#freeNames(chosen: Chosen): Generator<string> {
    const isFree = (name: string): boolean => !chosen.has(name) && this.#isPossible(name, [], []);
    const { mentioned } = this.#demands.rules;
    for (const name of mentioned) if (name !== "" && isFree(name)) yield name;
    const known = new Set([...chosen.keys(), ...mentioned]);
    const count = Math.max(0, this.#demands.min - chosen.size) + this.#variety;
    for (const name of this.#newNames(known, [], count)) if (isFree(name)) yield name;
    if (isFree("")) yield "";
  }

  /** Whether such a property is possible. */
  #isPossible(name: string, demands: readonly Formula[], also: readonly Formula[]): boolean {
    if (this.#demands.absent.has(name)) return false;
    if (also.length > 0 && this.#demands.rules.solveName(name, also).kind === "none") return false;
    const solution = this.#propertySolution(name, demands);
    if (solution.kind === "unknown") this.#undecidedBecause = solution.because;
    return solution.kind !== "none";
  }

  /** A value for a property; none if its name is not allowed. */
  #propertySolution(name: string, demands: readonly Formula[]): Solution {
    const { rules } = this.#demands;
    const named = rules.solveName(name, []);
    if (named.kind !== "value") return named;
    return this.#context.solve(...rules.demandsOf(name), ...demands);
  }

  /** Up to `count` names for each class of names that no schema mentions. */
  *#newNames(
    known: ReadonlySet<string>,
    also: readonly Formula[],
    count: number,
  ): Generator<string> {
    const classes = this.#demands.rules.classesOf(known, also);
    if (classes === undefined)
      this.#undecidedBecause = "property names with too many combinations of patterns";
    const texts: Formula = { kind: "types", types: ["string"] };
    for (const demands of classes ?? [[texts, ...also]]) {
      const found: unknown[] = [];
      while (found.length < count) {
        this.#context.step();
        const others: Formula = { kind: "values", values: [...found], among: false };
        const solution = this.#context.solve(...demands, ...(found.length > 0 ? [others] : []));
        if (solution.kind === "unknown") this.#undecidedBecause = solution.because;
        if (solution.kind !== "value" || typeof solution.value !== "string") break;
        found.push(solution.value);
        yield solution.value;
      }
    }
  }
}

/** Every choice of one value from each list; the last list varies fastest. */
function* combine(lists: readonly (readonly unknown[])[]): Generator<readonly unknown[]> {
  const at = lists.map(() => 0);
  for (let last = 0; last >= 0; ) {
    yield lists.map((list, index) => list[at[index] ?? 0]);
    last = lists.length - 1;
    while (last >= 0 && (at[last] ?? 0) + 1 >= (lists[last]?.length ?? 0)) {
      at[last] = 0;
      last -= 1;
    }
    if (last >= 0) at[last] = (at[last] ?? 0) + 1;
  }
}
