import { HOLE, type SchemaLocation } from "../../schema/schema-set.js";
import { all, any, type Formula } from "../logic/formula.js";
import { areDisjoint } from "./disjoint.js";
import type { Keyword, KeywordContext, Part } from "./keyword.js";

export const allOf: Keyword = {
  names: ["allOf"],
  parts: (context) => members(context, "allOf"),
};

export const anyOf: Keyword = {
  names: ["anyOf"],
  parts: (context) => [anyPart(members(context, "anyOf"))],
};

function anyPart(branches: readonly Part[]): Part {
  return { holds: any(...branches.map(holds)), fails: all(...branches.map(fails)) };
}

/** Limit on the members of a `oneOf` that are compared with each other. */
const MAX_OVERLAPPING = 150;

export const oneOf: Keyword = {
  names: ["oneOf"],
  parts: (context) => {
    const branches = members(context, "oneOf");
    if (areDisjoint(context, "oneOf")) return [anyPart(branches)];
    if (branches.length > MAX_OVERLAPPING) return [tooMany(context, "oneOf")];
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

/** `then` and `else` have no effect without `if`. */
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

export const reference: Keyword = {
  names: ["$ref"],
  parts: ({ schema, location }) => [partOf(location.set.resolve(location, String(schema.$ref)))],
};

function partOf(location: SchemaLocation): Part {
  return { holds: valid(location, true), fails: valid(location, false) };
}

function valid(location: SchemaLocation, holds: boolean): Formula {
  return { kind: "schema", location, holds };
}

/** What nobody can read, equal where its text is equal. Dynamic references that are left are none that a record reaches. */
export const hole: Keyword = {
  names: [HOLE, "$dynamicRef"],
  parts: ({ schema }) => {
    const what = String(schema[HOLE] ?? schema.$dynamicRef);
    const opaque: Formula = { kind: "opaque", keyword: HOLE, what };
    return [{ holds: opaque, fails: opaque }];
  },
};

/** Opaque, and equal to the same keyword of equal schemas. */
function tooMany({ schema, location }: KeywordContext, keyword: "oneOf"): Part {
  const { [keyword]: value } = schema;
  const only: SchemaLocation = { ...location, schema: { [keyword]: value } };
  const opaque: Formula = { kind: "opaque", keyword, what: "members", location: only };
  return { holds: opaque, fails: opaque };
}
