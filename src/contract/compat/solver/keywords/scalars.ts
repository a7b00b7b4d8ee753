import {
  exactMemberText,
  exactNumber,
  isInexact,
  neighboursOf,
} from "../../schema/exact-numbers.js";
import { WRITTEN_WHOLE } from "../../schema/schema-set.js";
import { isFormat } from "../logic/formats.js";
import { all, any, type Formula, isNoType, isType, TYPES, type Type } from "../logic/formula.js";
import { typeOf } from "../logic/values.js";
import type { Keyword, Part } from "./keyword.js";

function bound(name: string, kind: "minimum" | "maximum", exclusive: boolean): Keyword {
  const opposite = kind === "minimum" ? "maximum" : "minimum";
  return {
    names: [name],
    parts: ({ schema }) => {
      const bound = Number(schema[name]);
      const number = exactNumber(schema, name);
      if (number !== undefined) return [inexactBound(number, kind, exclusive)];
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

/** A bound that no double holds: it is decided for all numbers except those between its neighbours. */
function inexactBound(number: string, kind: "minimum" | "maximum", exclusive: boolean): Part {
  const { below, above } = neighboursOf(number);
  const opaque = inexact(number, `${kind} ${exclusive} ${number}`);
  // Validators round the bound to one of its neighbours, so numbers beyond both are tried first as witnesses.
  const from = (kind: "minimum" | "maximum", bound: number): Formula =>
    any({ kind, bound, exclusive: true }, { kind, bound, exclusive: false });
  const [atLeast, atMost] = [from("minimum", above), from("maximum", below)];
  const [inside, outside] = kind === "minimum" ? [atLeast, atMost] : [atMost, atLeast];
  const between = betweenNeighbours(number);
  return {
    holds: any(isNoType("number"), inside, all(between, opaque.holds)),
    fails: all(isType("number"), any(outside, all(between, opaque.fails))),
  };
}

/** Numbers that no double holds, and of which the given one is one. */
function betweenNeighbours(number: string): Formula {
  const { below, above } = neighboursOf(number);
  return all(
    isType("number"),
    { kind: "minimum", bound: below, exclusive: true },
    { kind: "maximum", bound: above, exclusive: true },
  );
}

/** The same demand on values of one type only. */
function ofType(type: Type, { holds, fails }: Part): Part {
  return { holds: any(isNoType(type), holds), fails: all(isType(type), fails) };
}

/** What the solver cannot decide, because it calculates with doubles. Equal for equal `what`. */
function inexact(number: string, what: string): Part {
  const demand = { kind: "opaque", keyword: "", what, number } as const;
  const opposite: Formula = { ...demand, what: `not ${what}` };
  return {
    holds: { kind: "part", demand, holds: true, is: demand },
    fails: { kind: "part", demand, holds: false, is: opposite },
  };
}

export const multipleOf: Keyword = {
  names: ["multipleOf"],
  parts: ({ schema }) => {
    const of = Number(schema.multipleOf);
    const number = exactNumber(schema, "multipleOf");
    if (number !== undefined) {
      return [ofType("number", inexact(number, `multiple ${number}`))];
    }
    return [multiples(of)];
  },
};

function multiples(of: number): Part {
  return {
    holds: { kind: "multiple", of, holds: true },
    fails: all(isType("number"), { kind: "multiple", of, holds: false }),
  };
}

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

/** `integer` is a number that is a multiple of 1. */
export const type: Keyword = {
  names: ["type"],
  parts: ({ schema }) => {
    const { types, onlyIntegers } = read(schema.type);
    if (!onlyIntegers) return [{ holds: isType(...types), fails: isNoType(...types) }];
    return [
      { holds: isType(...types, "number"), fails: isNoType(...types, "number") },
      multiples(1),
    ];
  },
};

/** The demand that a number is written without a fraction. */
export const WHOLE = "whole";

/** How a number is written, which values do not show. */
export const writtenWhole: Keyword = {
  names: [WRITTEN_WHOLE],
  parts: () => {
    const demand = { kind: "opaque", keyword: WRITTEN_WHOLE, what: WHOLE } as const;
    const opposite = { ...demand, what: "not whole" };
    return [
      ofType("number", {
        holds: { kind: "part", demand, holds: true, is: demand },
        fails: { kind: "part", demand, holds: false, is: opposite },
      }),
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
      const number = exactNumber(schema, name);
      if (number !== undefined) return [ofType(type, inexact(number, `${kind} min ${number}`))];
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
      const number = exactNumber(schema, name);
      if (number !== undefined) return [ofType(type, inexact(number, `${kind} max ${number}`))];
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
  parts: ({ schema }) => {
    const list: readonly unknown[] = Array.isArray(schema.enum) ? schema.enum : [];
    return [among(list, [...list.keys()])];
  },
};

export const constant: Keyword = {
  names: ["const"],
  parts: ({ schema }) => [among(schema, ["const"])],
};

/** One of some members of an object or array. */
function among(container: object, keys: readonly (string | number)[]): Part {
  const values = keys
    .filter((key) => !isInexact(container, key))
    .map((key): unknown => Reflect.get(container, key));
  const others = keys
    .filter((key) => isInexact(container, key))
    .map((key) => inexactValue(container, key));
  return {
    holds: any({ kind: "values", values, among: true }, ...others.map(({ holds }) => holds)),
    fails: all({ kind: "values", values, among: false }, ...others.map(({ fails }) => fails)),
  };
}

/** A value that is, or contains, a number that no double holds. */
function inexactValue(container: object, key: string | number): Part {
  const text = exactMemberText(container, key);
  const number = exactNumber(container, key);
  const { holds, fails } = inexact(text, `value ${text}`);
  const like =
    number === undefined ? isType(typeOf(Reflect.get(container, key))) : betweenNeighbours(number);
  return { holds: all(like, holds), fails };
}
