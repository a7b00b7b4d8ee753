import { findCycle } from "../../schemas/definitions.js";
import { IN_PLACE_APPLICATORS } from "../../schemas/keywords.js";
import { childOf, type SchemaLocation, subschemas } from "./schema-set.js";

/**
 * The places of a document from which references lead back to themselves without descending into the value, such as
 * `[a, b, a]`: no record can be validated there. Undefined if there are none.
 */
export function findEndless({ set, uri }: SchemaLocation): string[] | undefined {
  const graph = new Map<string, string[]>();
  const waiting = [...set.locations()].filter((each) => each.uri === uri);
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const name = set.describe(place);
    if (graph.has(name)) continue;
    const next = listInPlace(place);
    graph.set(
      name,
      next.map((each) => set.describe(each)),
    );
    waiting.push(...next);
  }
  return findCycle(graph);
}

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
