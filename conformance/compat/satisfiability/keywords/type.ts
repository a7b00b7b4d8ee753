import { all, type Formula, isNoType, isType, TYPES, type Type } from "../formula.js";
import type { Keyword } from "./keyword.js";

/**
 * `integer` is a number that is a multiple of one. `nullable`, which draft 2020-12 does not know, adds null to the
 * types for Ajv: then null may be valid and may be not.
 */
export const type: Keyword = {
  names: ["type", "nullable"],
  parts: ({ schema }) => {
    if (schema.type === undefined) return [];
    const { types, onlyIntegers } = read(schema.type);
    if (schema.nullable === true && !types.includes("null")) {
      const dispute: Formula = { kind: "opaque", keyword: "nullable", what: String(schema.type) };
      const integer: readonly Type[] = onlyIntegers ? ["number"] : [];
      return [
        {
          holds: all(dispute, isType(...types, ...integer, "null")),
          fails: all(dispute, isNoType(...types)),
        },
      ];
    }
    if (!onlyIntegers) return [{ holds: isType(...types), fails: isNoType(...types) }];
    const integer = { kind: "multiple", of: 1, keyword: "integer" } as const;
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
