import { type Constraint, type Formula, includesName, toFormulas } from "../logic/formula.js";
import { found, type Solution } from "../logic/solution.js";
import { ofKind, type SolveContext } from "./type-solver.js";

/** Limit on the classes of names. */
const MAX_CLASSES = 64;

type EachProperty = Extract<Constraint, { readonly kind: "each-property" }>;

/** A demand on some property. */
export interface Wish {
  /** The names that it may have, if listed. */
  readonly only: readonly string[] | undefined;
  readonly mayBe: (name: string) => boolean;
  /** Demands on its name. */
  readonly name: readonly Formula[];
  /** Demands on its value. */
  readonly value: readonly Formula[];
}

/** The constraints on the properties of an object, by name. */
export class PropertyRules {
  /** Demands on some property. */
  readonly wishes: readonly Wish[];
  readonly #constraints: readonly Constraint[];
  readonly #context: SolveContext;
  readonly #eachName: readonly Formula[];
  readonly #byName = new Map<string, Formula[]>();
  readonly #general: EachProperty[] = [];
  #mentioned: readonly string[] | undefined;

  constructor(constraints: readonly Constraint[], context: SolveContext) {
    this.#context = context;
    this.#constraints = constraints;
    this.#eachName = ofKind(constraints, "each-name").map(({ is }) => is);
    for (const rule of ofKind(constraints, "each-property")) {
      if (rule.names.only === undefined) this.#general.push(rule);
      for (const name of rule.names.only ?? []) {
        const known = this.#byName.get(name);
        if (known === undefined) this.#byName.set(name, [rule.is]);
        else known.push(rule.is);
      }
    }
    this.wishes = [
      ...ofKind(constraints, "some-property").map(({ names, is }) => ({
        only: names.only,
        mayBe: (name: string) => includesName(names, name, context.step),
        name: toFormulas(names),
        value: [is],
      })),
      ...ofKind(constraints, "some-name").map(({ is }) => ({
        only: undefined,
        mayBe: () => true,
        name: [is],
        value: [],
      })),
    ];
  }

  /** Names that a constraint mentions, and the empty one, which is never generated. */
  get mentioned(): readonly string[] {
    this.#mentioned ??= [...new Set([...this.#constraints.flatMap(namesIn), ""])];
    return this.#mentioned;
  }

  /** Demands on the value of a property. */
  demandsOf(name: string): readonly Formula[] {
    const general = this.#general.filter(({ names }) =>
      includesName(names, name, this.#context.step),
    );
    return [...(this.#byName.get(name) ?? []), ...general.map(({ is }) => is)];
  }

  /** Whether a property may have a name that satisfies `also`. */
  solveName(name: string, also: readonly Formula[]): Solution {
    if (this.#eachName.length === 0 && also.length === 0) return found(name);
    const itself: Formula = { kind: "values", values: [name], among: true };
    return this.#context.solve(...this.#eachName, ...also, itself);
  }

  /**
   * Demands on each class of names other than `known`: names of a class match the same patterns. Undefined if there
   * are too many classes.
   */
  classesOf(
    known: ReadonlySet<string>,
    also: readonly Formula[],
  ): readonly (readonly Formula[])[] | undefined {
    const base: readonly Formula[] = [
      { kind: "types", types: ["string"] },
      { kind: "values", values: [...known], among: false },
      ...this.#eachName,
      ...also,
    ];
    let classes = [base];
    for (const pattern of new Set(this.#constraints.flatMap(patternsIn))) {
      classes = classes.flatMap((rules) => this.#split(rules, pattern));
      if (classes.length > MAX_CLASSES) return undefined;
    }
    return classes;
  }

  /** Splits a class into the names that match a pattern and those that do not, if both exist. */
  #split(rules: readonly Formula[], pattern: string): (readonly Formula[])[] {
    const [matching, others] = [true, false].map((holds): readonly Formula[] => [
      ...rules,
      { kind: "pattern", pattern, holds },
    ]);
    if (matching === undefined || this.#context.solve(...matching).kind === "none") return [rules];
    if (others === undefined || this.#context.solve(...others).kind === "none") return [rules];
    return [matching, others];
  }
}

function namesIn(constraint: Constraint): readonly string[] {
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
}

function patternsIn(constraint: Constraint): readonly string[] {
  if (constraint.kind !== "each-property" && constraint.kind !== "some-property") return [];
  return [...(constraint.names.matching ?? []), ...(constraint.names.notMatching ?? [])];
}
