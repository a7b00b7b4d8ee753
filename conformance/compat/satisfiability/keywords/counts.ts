import { all, isType, type Type } from "../formula.js";
import type { Keyword } from "./keyword.js";

type CountKind = "length" | "item-count" | "property-count";

function atLeast(name: string, kind: CountKind, type: Type): Keyword {
  return {
    names: [name],
    parts: ({ schema }) => {
      const min = Number(schema[name]);
      return [
        {
          holds: { kind, min, max: Number.POSITIVE_INFINITY },
          fails: all(isType(type), { kind, min: 0, max: min - 1 }),
        },
      ];
    },
  };
}

function atMost(name: string, kind: CountKind, type: Type): Keyword {
  return {
    names: [name],
    parts: ({ schema }) => {
      const max = Number(schema[name]);
      return [
        {
          holds: { kind, min: 0, max },
          fails: all(isType(type), { kind, min: max + 1, max: Number.POSITIVE_INFINITY }),
        },
      ];
    },
  };
}

export const minLength = atLeast("minLength", "length", "string");
export const maxLength = atMost("maxLength", "length", "string");
export const minItems = atLeast("minItems", "item-count", "array");
export const maxItems = atMost("maxItems", "item-count", "array");
export const minProperties = atLeast("minProperties", "property-count", "object");
export const maxProperties = atMost("maxProperties", "property-count", "object");
