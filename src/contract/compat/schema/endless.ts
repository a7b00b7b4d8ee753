import { IN_PLACE_APPLICATORS } from "../../schemas/keywords.js";
import { childOf, type SchemaLocation, type SchemaSet, stampOf } from "./schema-set.js";
import { type Schema, subschemas } from "./subschemas.js";

/** The schemas that apply to the same value. */
function listInPlace(place: SchemaLocation): SchemaLocation[] {
  const { schema, set } = place;
  if (typeof schema === "boolean") return [];
  const own = subschemas(schema)
    .filter(([, , keyword]) => IN_PLACE_APPLICATORS.includes(keyword))
    .map(([pointer]) => childOf(place, pointer));
  const target = typeof schema.$ref === "string" && set.tryToResolve(place, schema.$ref);
  return typeof target === "object" ? [...own, target] : own;
}

/**
 * Makes holes of the references that lead back to a schema without descending into the value: what such a schema accepts is
 * not defined (draft 2020-12, section 9.4.1). Returns the schemas that have them.
 */
export function breakEndless(set: SchemaSet): SchemaLocation[] {
  const broken: SchemaLocation[] = [];
  let stamp: string | undefined;
  /** Whether what follows a schema was looked at as a whole. */
  const isDone = new Map<Schema, boolean>();
  for (const start of [...set.locations()]) {
    const path: { readonly place: SchemaLocation; readonly next: Iterator<SchemaLocation> }[] = [];
    const enter = (place: SchemaLocation): void => {
      if (typeof place.schema === "boolean" || isDone.has(place.schema)) return;
      isDone.set(place.schema, false);
      path.push({ place, next: listInPlace(place).values() });
    };
    enter(start);
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const { value: target, done } = last.next.next();
      if (done) {
        isDone.set(last.place.schema, true);
        path.pop();
      } else if (isDone.get(target.schema) === false) {
        stamp ??= stampOf(set.documents());
        const hole = set.hole(
          `a schema that refers to itself without end, ${target.pointer || "#"}${stamp}`,
        );
        Object.assign(Object(last.place.schema), { $ref: hole.uri });
        broken.push(last.place);
      } else enter(target);
    }
  }
  return broken;
}
