import type { Occurrence } from "../places/place.js";
import { childOf, type SchemaLocation } from "../schema/schema-set.js";
import { keywords } from "../solver/keywords/index.js";
import { all, any, type Formula, isType, type Names } from "../solver/logic/formula.js";

/** A value that violates one keyword of a schema. */
export function fails({ location, keyword }: Occurrence): Formula {
  const known = keywords.find(({ names }) => names.includes(keyword));
  const context = {
    schema: location.schema,
    location,
    at: (pointer: string, holds: boolean) =>
      ({ kind: "schema", location: childOf(location, pointer), holds }) as const,
  };
  return any(...(known?.parts(context) ?? []).map((part) => part.fails));
}

/** A value that violates one of the keywords. */
export function failsAny(occurrences: readonly Occurrence[]): Formula {
  return any(...occurrences.map(fails));
}

/** A value that is invalid under a schema. */
export function rejected(location: SchemaLocation): Formula {
  return { kind: "schema", location, holds: false };
}

/** A value that is invalid under one of the schemas. */
export function rejectedByAny(schemas: readonly SchemaLocation[]): Formula {
  return any(...schemas.map(rejected));
}

/** A value that is valid under a schema. */
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

/** An object with a property of one of the names, whose value satisfies `is`. */
export function someProperty(names: Names, is: Formula): Formula {
  return all(isType("object"), { kind: "some-property", names, is });
}
