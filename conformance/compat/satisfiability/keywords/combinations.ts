import { all, any, type Formula } from "../formula.js";
import type { Keyword, KeywordContext, Part } from "./keyword.js";

export const allOf: Keyword = {
  names: ["allOf"],
  parts: (context) => members(context, "allOf"),
};

export const anyOf: Keyword = {
  names: ["anyOf"],
  parts: (context) => {
    const branches = members(context, "anyOf");
    return [{ holds: any(...branches.map(holds)), fails: all(...branches.map(fails)) }];
  },
};

export const oneOf: Keyword = {
  names: ["oneOf"],
  parts: (context) => {
    const branches = members(context, "oneOf");
    const [valid, invalid] = [branches.map(holds), branches.map(fails)];
    const two = valid.map((one, index) => all(one, any(...valid.slice(index + 1))));
    return [
      {
        holds: any(...valid.map((one, index) => all(one, ...invalid.toSpliced(index, 1)))),
        fails: any(all(...invalid), ...two),
      },
    ];
  },
};

export const not: Keyword = {
  names: ["not"],
  parts: ({ at }) => [{ holds: at("/not", false), fails: at("/not", true) }],
};

/** `then` and `else` mean nothing without `if`. */
export const conditional: Keyword = {
  names: ["if", "then", "else"],
  parts: ({ schema, at }) => {
    if (schema.if === undefined) return [];
    const branch = (name: "then" | "else", taken: boolean): Part[] => {
      if (schema[name] === undefined) return [];
      return [
        {
          holds: any(at("/if", !taken), at(`/${name}`, true)),
          fails: all(at("/if", taken), at(`/${name}`, false)),
        },
      ];
    };
    return [...branch("then", true), ...branch("else", false)];
  },
};

function members({ schema, at }: KeywordContext, name: string): Part[] {
  const list: unknown = schema[name];
  if (!Array.isArray(list)) return [];
  return list.map((_, index) => ({
    holds: at(`/${name}/${index}`, true),
    fails: at(`/${name}/${index}`, false),
  }));
}

function holds(part: Part): Formula {
  return part.holds;
}

function fails(part: Part): Formula {
  return part.fails;
}
