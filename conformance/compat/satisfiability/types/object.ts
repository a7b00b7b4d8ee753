import { isJsonObject } from "../../../../src/records/json-object.js";
import type { Constraint, Formula } from "../formula.js";
import { isEqual } from "../json-type.js";
import { includesName, toFormulas } from "../names.js";
import { found, NONE, type Solution, unknown } from "../solution.js";
import { countRange, excludedValues, ofKind, type SolveContext } from "./type-solver.js";

/** Patterns by which names that no schema mentions are told apart; with more of them, nobody knows. */
const MAX_PATTERNS = 6;

/** Something that has to be true of one property, whichever. */
interface Wish {
  /** What its name is like. */
  readonly name: readonly Formula[];
  readonly mayBe: (name: string) => boolean;
  /** What its value is like. */
  readonly value: readonly Formula[];
}

export function solveObject(constraints: readonly Constraint[], context: SolveContext): Solution {
  const range = countRange(constraints, "property-count");
  const required = new Set(ofKind(constraints, "required").map(({ name }) => name));
  const absent = new Set(ofKind(constraints, "absent").map(({ name }) => name));
  if (range.min > range.max || required.size > range.max) return NONE;
  if ([...required].some((name) => absent.has(name))) return NONE;
  const excluded = excludedValues(constraints).filter(isJsonObject);
  let doubt: string | undefined;
  // With one property more, an object is another than one that is excluded.
  for (let extra = 0; extra <= excluded.length; extra += 1) {
    const min = Math.max(range.min, required.size) + extra;
    if (min > range.max) break;
    const attempt = new Attempt(constraints, context, { min, max: range.max, absent });
    const solution = attempt.solve(required);
    if (solution.kind === "value") return solution;
    if (solution.kind === "unknown") doubt = solution.because;
    if (solution.kind === "none" && extra === 0) return NONE;
  }
  return unknown(doubt ?? "an object other than those that are excluded");
}

interface AttemptOptions {
  readonly min: number;
  readonly max: number;
  readonly absent: ReadonlySet<string>;
}

/** What is demanded of the properties that an object is to have, by name. */
type Chosen = ReadonlyMap<string, readonly Formula[]>;

class Attempt {
  readonly #constraints: readonly Constraint[];
  readonly #context: SolveContext;
  readonly #options: AttemptOptions;
  readonly #mentioned: readonly string[];
  readonly #classes: readonly (readonly Formula[])[] | undefined;
  #doubt: string | undefined;

  constructor(constraints: readonly Constraint[], context: SolveContext, options: AttemptOptions) {
    this.#constraints = constraints;
    this.#context = context;
    this.#options = options;
    this.#mentioned = mentionedNames(constraints);
    this.#classes = nameClasses(constraints);
    if (this.#classes === undefined) this.#doubt = "names that many patterns tell apart";
  }

  solve(required: ReadonlySet<string>): Solution {
    const chosen = new Map<string, readonly Formula[]>();
    for (const name of required) {
      const kind = this.#propertySolution(name, []).kind;
      if (kind === "none") return NONE;
      chosen.set(name, []);
    }
    const value = this.#grant(wishesOf(this.#constraints), chosen);
    if (value !== undefined) return found(value);
    return this.#doubt === undefined ? NONE : unknown(this.#doubt);
  }

  /** Tries for each wish every name that it may be about. */
  #grant([wish, ...others]: readonly Wish[], chosen: Chosen): object | undefined {
    this.#context.step();
    if (wish === undefined) return this.#fillUp(chosen);
    const known = new Set([...chosen.keys(), ...this.#mentioned]);
    for (const name of known) {
      if (!wish.mayBe(name)) continue;
      const demands = [...(chosen.get(name) ?? []), ...wish.value];
      if (!this.#isPossible(name, demands, wish.name)) continue;
      const value = this.#grant(others, new Map(chosen).set(name, demands));
      if (value !== undefined) return value;
    }
    for (const name of this.#newNames(known, wish.name)) {
      if (!this.#isPossible(name, wish.value, [])) continue;
      const value = this.#grant(others, new Map(chosen).set(name, wish.value));
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** Adds properties until there are enough of them, and finds their values. */
  #fillUp(chosen: Chosen): object | undefined {
    const { min, max } = this.#options;
    if (chosen.size > max) return undefined;
    const all = new Map(chosen);
    while (all.size < min) {
      const name = this.#findAnother(all);
      if (name === undefined) return undefined;
      all.set(name, []);
    }
    const entries: [string, unknown][] = [];
    for (const [name, demands] of all) {
      const solution = this.#propertySolution(name, demands);
      if (solution.kind === "unknown") this.#doubt = solution.because;
      if (solution.kind !== "value") return undefined;
      entries.push([name, solution.value]);
    }
    const value = Object.fromEntries(entries);
    if (!excludedValues(this.#constraints).some((each) => isEqual(each, value))) return value;
    this.#doubt = "an object other than those that are excluded";
    return undefined;
  }

  /** A name that there may be besides; the empty one, which confuses readers, only when there is no other. */
  #findAnother(chosen: Chosen): string | undefined {
    const isFree = (name: string): boolean => !chosen.has(name) && this.#isPossible(name, [], []);
    const known = new Set([...chosen.keys(), ...this.#mentioned]);
    return (
      this.#mentioned.find((name) => name !== "" && isFree(name)) ??
      this.#newNames(known, []).find(isFree) ??
      [""].find(isFree)
    );
  }

  /** Whether there may be such a property. */
  #isPossible(name: string, demands: readonly Formula[], also: readonly Formula[]): boolean {
    if (this.#options.absent.has(name)) return false;
    if (also.length > 0 && this.#nameSolution(name, also).kind === "none") return false;
    const solution = this.#propertySolution(name, demands);
    if (solution.kind === "unknown") this.#doubt = solution.because;
    return solution.kind !== "none";
  }

  /** A value for a property; none when nothing can have its name. */
  #propertySolution(name: string, demands: readonly Formula[]): Solution {
    const named = this.#nameSolution(name, []);
    if (named.kind !== "value") return named;
    const rules = ofKind(this.#constraints, "each-property")
      .filter(({ names }) => includesName(names, name))
      .map(({ is }) => is);
    return this.#context.solve(...rules, ...demands);
  }

  #nameSolution(name: string, also: readonly Formula[]): Solution {
    return this.#context.solve(...this.#nameRules(), ...also, {
      kind: "values",
      values: [name],
      among: true,
    });
  }

  #nameRules(): Formula[] {
    return ofKind(this.#constraints, "each-name").map(({ is }) => is);
  }

  /** For each way in which names that no schema mentions can differ to the schemas, one of them. */
  #newNames(known: ReadonlySet<string>, also: readonly Formula[]): string[] {
    return (this.#classes ?? [[]]).flatMap((rules) => {
      const solution = this.#context.solve(
        { kind: "types", types: ["string"] },
        { kind: "values", values: [...known], among: false },
        ...rules,
        ...this.#nameRules(),
        ...also,
      );
      if (solution.kind === "unknown") this.#doubt = solution.because;
      return solution.kind === "value" && typeof solution.value === "string"
        ? [solution.value]
        : [];
    });
  }
}

function wishesOf(constraints: readonly Constraint[]): Wish[] {
  return [
    ...ofKind(constraints, "some-property").map(({ names, is }) => ({
      name: toFormulas(names),
      mayBe: (name: string) => includesName(names, name),
      value: [is],
    })),
    ...ofKind(constraints, "some-name").map(({ is }) => ({
      name: [is],
      mayBe: () => true,
      value: [],
    })),
  ];
}

function mentionedNames(constraints: readonly Constraint[]): string[] {
  const names = constraints.flatMap((constraint) => {
    switch (constraint.kind) {
      case "required":
      case "absent":
        return [constraint.name];
      case "each-property":
      case "some-property":
        return [...(constraint.names.only ?? []), ...(constraint.names.except ?? [])];
      default:
        return [];
    }
  });
  // The empty name is tried like them, since others are not made empty.
  return [...new Set([...names, ""])];
}

/** Every combination of patterns that a name may match; undefined when they are too many. */
function nameClasses(constraints: readonly Constraint[]): (readonly Formula[])[] | undefined {
  const patterns = new Set(
    constraints.flatMap((constraint) =>
      constraint.kind === "each-property" || constraint.kind === "some-property"
        ? [...(constraint.names.matching ?? []), ...(constraint.names.notMatching ?? [])]
        : [],
    ),
  );
  if (patterns.size > MAX_PATTERNS) return undefined;
  let classes: (readonly Formula[])[] = [[]];
  for (const pattern of patterns) {
    classes = classes.flatMap((rules) =>
      [false, true].map((holds) => [...rules, { kind: "pattern", pattern, holds } as const]),
    );
  }
  return classes;
}
