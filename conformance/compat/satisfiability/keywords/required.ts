import { isJsonObject } from "../../../../src/records/json-object.js";
import { toPointerToken } from "../../../../src/records/resolve-pointer.js";
import { all, any, type Formula, isNoType, isType } from "../formula.js";
import type { Keyword, KeywordContext } from "./keyword.js";
import { keysOf } from "./properties.js";

export const required: Keyword = {
  names: ["required"],
  holds: ({ schema }) => textsOf(schema.required).map(has),
  fails: ({ schema }) => textsOf(schema.required).map(lacks),
};

export const dependentRequired: Keyword = {
  names: ["dependentRequired"],
  holds: (context) =>
    dependencies(context).map(({ name, needed }) => any(lacksOrNoObject(name), has(needed))),
  fails: (context) =>
    dependencies(context).map(({ name, needed }) =>
      all(isType("object"), has(name), lacks(needed)),
    ),
};

export const dependentSchemas: Keyword = {
  names: ["dependentSchemas"],
  holds: (context) =>
    keysOf(context.schema.dependentSchemas).map((name) =>
      any(lacksOrNoObject(name), dependent(context, name, true)),
    ),
  fails: (context) =>
    keysOf(context.schema.dependentSchemas).map((name) =>
      all(isType("object"), has(name), dependent(context, name, false)),
    ),
};

/** That an object has a property. */
export function has(name: string): Formula {
  return { kind: "required", name };
}

function lacks(name: string): Formula {
  return all(isType("object"), { kind: "absent", name });
}

/** That a value has no such property, be it an object or not. */
export function lacksOrNoObject(name: string): Formula {
  return any(isNoType("object"), lacks(name));
}

function dependent(context: KeywordContext, name: string, holds: boolean): Formula {
  return context.at(`/dependentSchemas/${toPointerToken(name)}`, holds);
}

function dependencies({
  schema,
}: KeywordContext): { readonly name: string; readonly needed: string }[] {
  const { dependentRequired } = schema;
  if (!isJsonObject(dependentRequired)) return [];
  return Object.entries(dependentRequired).flatMap(([name, needs]) =>
    textsOf(needs).map((needed) => ({ name, needed })),
  );
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
