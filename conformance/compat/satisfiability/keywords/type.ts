import { all, type Formula, isNoType, isType, TYPES, type Type } from "../formula.js";
import type { Keyword } from "./keyword.js";

/** `integer` is a number that is a multiple of one. */
export const type: Keyword = {
  names: ["type"],
  holds: ({ schema }) => {
    const { types, onlyIntegers } = read(schema.type);
    const allowed = isType(...types, ...(onlyIntegers ? (["number"] as const) : []));
    return onlyIntegers ? [allowed, integer(true)] : [allowed];
  },
  fails: ({ schema }) => {
    const { types, onlyIntegers } = read(schema.type);
    if (!onlyIntegers) return [isNoType(...types)];
    return [isNoType(...types, "number"), all(isType("number"), integer(false))];
  },
};

function integer(holds: boolean): Formula {
  return { kind: "multiple", of: 1, holds };
}

function read(value: unknown): { readonly types: readonly Type[]; readonly onlyIntegers: boolean } {
  const names: unknown[] = Array.isArray(value) ? value : [value];
  const types = TYPES.filter((each) => names.includes(each));
  return { types, onlyIntegers: names.includes("integer") && !types.includes("number") };
}
