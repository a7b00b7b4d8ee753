import type { Constraint, Formula, Names } from "./formula.js";
import { matchesPattern } from "./matches-pattern.js";

/** Whether a name belongs to a set of names. */
export function includesName(names: Names, name: string): boolean {
  const { only, except, matching = [], notMatching = [] } = names;
  if (only !== undefined && !setOf(only).has(name)) return false;
  if (except !== undefined && setOf(except).has(name)) return false;
  const matches = (pattern: string): boolean => matchesPattern(pattern, name);
  return matching.every(matches) && !notMatching.some(matches);
}

/** The same as something that is demanded of a text. */
export function toFormulas({ only, except, matching = [], notMatching = [] }: Names): Formula[] {
  const pattern = (holds: boolean) => (pattern: string) =>
    ({ kind: "pattern", pattern, holds }) as const;
  return [
    { kind: "types", types: ["string"] },
    ...(only === undefined ? [] : [values(only, true)]),
    ...(except === undefined ? [] : [values(except, false)]),
    ...matching.map(pattern(true)),
    ...notMatching.map(pattern(false)),
  ];
}

function values(values: readonly string[], among: boolean): Constraint {
  return { kind: "values", values, among };
}

/** Lists of names are long, and asked often. */
const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

function setOf(list: readonly string[]): ReadonlySet<string> {
  const known = sets.get(list) ?? new Set(list);
  sets.set(list, known);
  return known;
}
