import { toPointerToken } from "../../../../src/json/pointer.js";
import { isJsonObject } from "../../../../src/json/value.js";
import { all, any, type Formula, isNoType, isType } from "../formula.js";
import type { Keyword } from "./keyword.js";
import { keysOf } from "./properties.js";

export const required: Keyword = {
  names: ["required"],
  parts: ({ schema }) =>
    textsOf(schema.required).map((name) => ({ holds: hasSurely(name), fails: lacks(name) })),
};

export const dependentRequired: Keyword = {
  names: ["dependentRequired"],
  parts: ({ schema }) =>
    entriesOf(schema.dependentRequired).flatMap(([name, needs]) =>
      textsOf(needs).map((needed) => ({
        holds: any(lacksOrNoObject(name), hasSurely(needed)),
        fails: all(isType("object"), has(name), lacks(needed)),
      })),
    ),
};

export const dependentSchemas: Keyword = {
  names: ["dependentSchemas"],
  parts: ({ schema, at }) =>
    keysOf(schema.dependentSchemas).map((name) => {
      const pointer = `/dependentSchemas/${toPointerToken(name)}`;
      return {
        holds: any(lacksOrNoObject(name), at(pointer, true)),
        fails: all(isType("object"), has(name), at(pointer, false)),
      };
    }),
};

/** That an object has a property. */
export function has(name: string): Formula {
  return { kind: "required", name };
}

/**
 * That an object has a required property. The empty name Ajv 8.20 forgets, unless it looks for all errors: then
 * nobody knows.
 */
function hasSurely(name: string): Formula {
  if (name !== "") return has(name);
  return any(has(name), { kind: "opaque", keyword: "required", what: "the empty name" });
}

function lacks(name: string): Formula {
  return all(isType("object"), { kind: "absent", name });
}

/** That a value has no such property, be it an object or not. */
export function lacksOrNoObject(name: string): Formula {
  return any(isNoType("object"), lacks(name));
}

function entriesOf(value: unknown): [string, unknown][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
