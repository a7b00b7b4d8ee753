import { all, any, type Formula } from "../formula.js";
import type { Keyword, KeywordContext } from "./keyword.js";

export const allOf: Keyword = {
  names: ["allOf"],
  holds: (context) => members(context, "allOf", true),
  fails: (context) => members(context, "allOf", false),
};

export const anyOf: Keyword = {
  names: ["anyOf"],
  holds: (context) => [any(...members(context, "anyOf", true))],
  fails: (context) => [all(...members(context, "anyOf", false))],
};

export const oneOf: Keyword = {
  names: ["oneOf"],
  holds: (context) => {
    const [valid, invalid] = [members(context, "oneOf", true), members(context, "oneOf", false)];
    return [any(...valid.map((member, one) => all(member, ...invalid.toSpliced(one, 1))))];
  },
  fails: (context) => {
    const [valid, invalid] = [members(context, "oneOf", true), members(context, "oneOf", false)];
    const pairs = valid.flatMap((one, index) =>
      valid.slice(index + 1).map((other) => all(one, other)),
    );
    return [all(...invalid), ...pairs];
  },
};

export const not: Keyword = {
  names: ["not"],
  holds: ({ at }) => [at("/not", false)],
  fails: ({ at }) => [at("/not", true)],
};

/** `then` and `else` mean nothing without `if`. */
export const conditional: Keyword = {
  names: ["if", "then", "else"],
  holds: ({ schema, at }) => {
    if (schema.if === undefined) return [];
    return [
      ...(schema.then === undefined ? [] : [any(at("/if", false), at("/then", true))]),
      ...(schema.else === undefined ? [] : [any(at("/if", true), at("/else", true))]),
    ];
  },
  fails: ({ schema, at }) => {
    if (schema.if === undefined) return [];
    return [
      ...(schema.then === undefined ? [] : [all(at("/if", true), at("/then", false))]),
      ...(schema.else === undefined ? [] : [all(at("/if", false), at("/else", false))]),
    ];
  },
};

export const reference: Keyword = {
  names: ["$ref"],
  holds: (context) => [target(context, true)],
  fails: (context) => [target(context, false)],
};

function members({ schema, at }: KeywordContext, name: string, holds: boolean): Formula[] {
  const list: unknown = schema[name];
  return Array.isArray(list) ? list.map((_, index) => at(`/${name}/${index}`, holds)) : [];
}

function target({ schema, location }: KeywordContext, holds: boolean): Formula {
  return { kind: "schema", location: location.set.resolve(location, String(schema.$ref)), holds };
}
