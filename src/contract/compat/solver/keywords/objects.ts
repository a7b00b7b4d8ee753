import { toPointerToken } from "../../../../base/json/pointer.js";
import { isJsonObject } from "../../../../base/json/value.js";
import { all, any, type Formula, isNoType, isType, type Names } from "../logic/formula.js";
import type { Keyword, KeywordContext } from "./keyword.js";

/** `additionalProperties` applies to names that the two others do not cover. */
export const properties: Keyword = {
  names: ["properties", "patternProperties", "additionalProperties"],
  parts: (context) =>
    groupsOf(context).map(({ names, pointer }) => ({
      holds: { kind: "each-property", names, is: context.at(pointer, true) },
      fails: all(isType("object"), {
        kind: "some-property",
        names,
        is: context.at(pointer, false),
      }),
    })),
};

interface Group {
  readonly names: Names;
  /** Pointer to the schema of properties with these names. */
  readonly pointer: string;
}

function groupsOf({ schema }: KeywordContext): Group[] {
  const names = keysOf(schema.properties);
  const patterns = keysOf(schema.patternProperties);
  return [
    ...names.map((name) => ({
      names: { only: [name] },
      pointer: `/properties/${toPointerToken(name)}`,
    })),
    ...patterns.map((pattern) => ({
      names: { matching: [pattern] },
      pointer: `/patternProperties/${toPointerToken(pattern)}`,
    })),
    ...(schema.additionalProperties === undefined
      ? []
      : [{ names: { except: names, notMatching: patterns }, pointer: "/additionalProperties" }]),
  ];
}

export function keysOf(value: unknown): string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}

export const propertyNames: Keyword = {
  names: ["propertyNames"],
  parts: ({ at }) => [
    {
      holds: { kind: "each-name", is: at("/propertyNames", true) },
      fails: all(isType("object"), { kind: "some-name", is: at("/propertyNames", false) }),
    },
  ],
};

export const required: Keyword = {
  names: ["required"],
  parts: ({ schema }) =>
    textsOf(schema.required).map((name) => ({ holds: has(name), fails: lacks(name) })),
};

export const dependentRequired: Keyword = {
  names: ["dependentRequired"],
  parts: ({ schema }) =>
    entriesOf(schema.dependentRequired).flatMap(([name, needs]) =>
      textsOf(needs).map((needed) => ({
        holds: any(lacksOrNoObject(name), has(needed)),
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

/** An object has a property. */
export function has(name: string): Formula {
  return { kind: "required", name };
}

function lacks(name: string): Formula {
  return all(isType("object"), { kind: "absent", name });
}

/** A value is not an object, or lacks the property. */
export function lacksOrNoObject(name: string): Formula {
  return any(isNoType("object"), lacks(name));
}

function entriesOf(value: unknown): [string, unknown][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
