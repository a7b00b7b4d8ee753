import type { Constraint, Formula, Names } from "./formula.js";

/** Whether a name belongs to a set of names. */
export function includesName(
  { only, except = [], matching = [], notMatching = [] }: Names,
  name: string,
): boolean {
  const matches = (pattern: string): boolean => new RegExp(pattern, "u").test(name);
  if (only !== undefined && !only.includes(name)) return false;
  return !except.includes(name) && matching.every(matches) && !notMatching.some(matches);
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
