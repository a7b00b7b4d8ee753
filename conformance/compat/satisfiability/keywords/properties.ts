import { toPointerToken } from "../../../../src/json/pointer.js";
import { isJsonObject } from "../../../../src/json/value.js";
import { all, isType, type Names } from "../formula.js";
import type { Keyword, KeywordContext } from "./keyword.js";

/** `additionalProperties` is about the names that the two others leave over. */
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
  /** Of the schema for what has such a name. */
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
