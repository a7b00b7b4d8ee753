import { all, isNoType, isType, TYPES, type Type } from "../formula.js";
import type { Keyword } from "./keyword.js";

/** `integer` is a number that is a multiple of one. */
export const type: Keyword = {
  names: ["type"],
  parts: ({ schema }) => {
    const { types, onlyIntegers } = read(schema.type);
    if (!onlyIntegers) return [{ holds: isType(...types), fails: isNoType(...types) }];
    const integer = { kind: "multiple", of: 1 } as const;
    return [
      { holds: isType(...types, "number"), fails: isNoType(...types, "number") },
      {
        holds: { ...integer, holds: true },
        fails: all(isType("number"), { ...integer, holds: false }),
      },
    ];
  },
};

function read(value: unknown): { readonly types: readonly Type[]; readonly onlyIntegers: boolean } {
  const names: unknown[] = Array.isArray(value) ? value : [value];
  const types = TYPES.filter((each) => names.includes(each));
  return { types, onlyIntegers: names.includes("integer") && !types.includes("number") };
}
