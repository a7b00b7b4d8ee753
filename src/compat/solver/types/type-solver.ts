import type { Constraint, Formula } from "../formula.js";
import type { Solution } from "../solution.js";

/** Some values of which all is true that is demanded. */
export interface Domain {
  /** Different ones; fewer than asked for only when there are no others, or for a doubt. */
  readonly values: readonly unknown[];
  /** Why there may be others; undefined when it is certain that there are none, or enough were found. */
  readonly undecidedBecause: string | undefined;
}

/** Finds `count` different values, or as many as there are. */
export function findValues(
  demands: readonly Formula[],
  count: number,
  { solve, step }: SolveContext,
): Domain {
  const values: unknown[] = [];
  while (values.length < count) {
    step(1 + values.length / 16);
    const others: Formula[] =
      values.length === 0 ? [] : [{ kind: "values", values: [...values], among: false }];
    const solution = solve(...demands, ...others);
    if (solution.kind === "unknown") return { values, undecidedBecause: solution.because };
    if (solution.kind === "none") break;
    values.push(solution.value);
  }
  return { values, undecidedBecause: undefined };
}

/** Finds a value of one type. */
export type TypeSolver = (constraints: readonly Constraint[], context: SolveContext) => Solution;

export interface SolveContext {
  /** A value of which all is true. */
  solve(...formulas: readonly Formula[]): Solution;
  /** Is called for every try, with what it costs; throws to give up. */
  step(cost?: number): void;
}

/** The constraints of one kind. */
export function ofKind<Kind extends Constraint["kind"]>(
  constraints: readonly Constraint[],
  kind: Kind,
): Extract<Constraint, { readonly kind: Kind }>[] {
  return constraints.filter(
    (each): each is Extract<Constraint, { readonly kind: Kind }> => each.kind === kind,
  );
}

/** Values that are not wanted. */
export function excludedValues(constraints: readonly Constraint[]): unknown[] {
  return ofKind(constraints, "values").flatMap(({ values, among }) => (among ? [] : values));
}

/** The range that all counts of a kind leave over. */
export function countRange(
  constraints: readonly Constraint[],
  kind: "length" | "item-count" | "property-count",
): { readonly min: number; readonly max: number } {
  const counts = ofKind(constraints, kind);
  return {
    min: Math.ceil(Math.max(0, ...counts.map(({ min }) => min))),
    max: Math.floor(Math.min(Number.POSITIVE_INFINITY, ...counts.map(({ max }) => max))),
  };
}
