import { isFormat } from "../logic/formats.js";
import { all, any, type Formula, isNoType, isType, TYPES, type Type } from "../logic/formula.js";
import type { Keyword, Part } from "./keyword.js";

function bound(name: string, kind: "minimum" | "maximum", exclusive: boolean): Keyword {
  const opposite = kind === "minimum" ? "maximum" : "minimum";
  return {
    names: [name],
    parts: ({ schema }) => {
      const bound = Number(schema[name]);
      return [
        {
          holds: { kind, bound, exclusive },
          fails: all(isType("number"), { kind: opposite, bound, exclusive: !exclusive }),
        },
      ];
    },
  };
}

export const minimum = bound("minimum", "minimum", false);
export const exclusiveMinimum = bound("exclusiveMinimum", "minimum", true);
export const maximum = bound("maximum", "maximum", false);
export const exclusiveMaximum = bound("exclusiveMaximum", "maximum", true);

/** Validators differ on very large numbers: by their digits they may be multiples, but never in Ajv. */
export const multipleOf: Keyword = {
  names: ["multipleOf"],
  parts: ({ schema }) => {
    const of = Number(schema.multipleOf);
    const multiple = { kind: "multiple", of, keyword: "multipleOf" } as const;
    return [
      {
        holds: { ...multiple, holds: true },
        fails: all(
          isType("number"),
          any({ ...multiple, holds: false }, { kind: "many-steps", of }),
        ),
      },
    ];
  },
};

export const pattern: Keyword = {
  names: ["pattern"],
  parts: ({ schema }) => {
    const match = { kind: "pattern", pattern: String(schema.pattern) } as const;
    return [
      {
        holds: { ...match, holds: true },
        fails: all(isType("string"), { ...match, holds: false }),
      },
    ];
  },
};

/** Formats of strings; unknown formats and those of numbers are opaque. */
export const format: Keyword = {
  names: ["format"],
  parts: ({ schema, location }) => {
    if (location.set.format === "annotate") return [];
    const format = String(schema.format);
    if (!isFormat(format)) {
      const opaque: Formula = { kind: "opaque", keyword: "format", what: format };
      return [{ holds: opaque, fails: opaque }];
    }
    const constraint = { kind: "format", format } as const;
    return [
      {
        holds: { ...constraint, holds: true },
        fails: all(isType("string"), { ...constraint, holds: false }),
      },
    ];
  },
};

/**
 * `integer` is a number that is a multiple of 1. `nullable` is not part of draft 2020-12, but in Ajv it adds null to
 * the types: so null may be valid or not.
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

export const enumeration: Keyword = {
  names: ["enum"],
  parts: ({ schema }) => [among(Array.isArray(schema.enum) ? schema.enum : [])],
};

export const constant: Keyword = {
  names: ["const"],
  parts: ({ schema }) => [among([schema.const])],
};

function among(values: readonly unknown[]): Part {
  return {
    holds: { kind: "values", values, among: true },
    fails: { kind: "values", values, among: false },
  };
}
