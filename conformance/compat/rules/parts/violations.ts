import type { Occurrence } from "../../places/place.js";
import { all, any, type Formula, isType, type Names } from "../../satisfiability/formula.js";
import { keywords } from "../../satisfiability/keywords/index.js";
import { isUnknownKeyword } from "../../satisfiability/meaning.js";
import { childOf, type SchemaLocation } from "../../schema-set.js";

/** A value that breaks one keyword of a schema; any may, when nobody knows what the keyword means. */
export function fails({ location, keyword }: Occurrence): Formula {
  if (isUnknownKeyword(keyword)) return { kind: "opaque", keyword, what: undefined };
  const meaning = keywords.find(({ names }) => names.includes(keyword));
  const context = {
    schema: location.schema,
    location,
    at: (pointer: string, holds: boolean) =>
      ({ kind: "schema", location: childOf(location, pointer), holds }) as const,
  };
  return any(...(meaning?.parts(context) ?? []).map((part) => part.fails));
}

/** A value that breaks one of them. */
export function failsAny(occurrences: readonly Occurrence[]): Formula {
  return any(...occurrences.map(fails));
}

/** A value that is invalid under a schema. */
export function rejected(location: SchemaLocation): Formula {
  return { kind: "schema", location, holds: false };
}

export function accepted(location: SchemaLocation): Formula {
  return { kind: "schema", location, holds: true };
}

/** An object without a property. */
export function lacks(name: string): Formula {
  return all(isType("object"), { kind: "absent", name });
}

/** An object that has a property. */
export function has(name: string): Formula {
  return all(isType("object"), { kind: "required", name });
}

/** An object that has a property of such a name of which `is` is true. */
export function someProperty(names: Names, is: Formula): Formula {
  return all(isType("object"), { kind: "some-property", names, is });
}
