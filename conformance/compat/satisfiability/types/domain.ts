import type { Formula } from "../formula.js";
import type { SolveContext } from "./type-solver.js";

/** Some values of which all is true that is demanded. */
export interface Domain {
  /** Different ones; fewer than asked for only when there are no others, or for a doubt. */
  readonly values: readonly unknown[];
  /** Why there may be others; undefined when it is certain that there are none, or enough were found. */
  readonly doubt: string | undefined;
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
    if (solution.kind === "unknown") return { values, doubt: solution.because };
    if (solution.kind === "none") break;
    values.push(solution.value);
  }
  return { values, doubt: undefined };
}
