import type { Constraint, Formula } from "../logic/formula.js";
import type { Solution } from "../logic/solution.js";

/** Some values that satisfy all demands. */
interface Domain {
  /** All different; fewer than requested if there are no others, or if undecided. */
  readonly values: readonly unknown[];
  /** Why there may be others; undefined if there are none, or enough were found. */
  readonly undecidedBecause: string | undefined;
}

/** Finds up to `count` different values. */
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
  /** A value that satisfies all formulas. */
  solve(...formulas: readonly Formula[]): Solution;
  /** Called for each attempt with its cost; throws to stop the search. */
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

/** Values that are excluded. */
export function excludedValues(constraints: readonly Constraint[]): unknown[] {
  return ofKind(constraints, "values").flatMap(({ values, among }) => (among ? [] : values));
}

/** The intersection of all count ranges of a kind. */
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
