import { type Occurrence, type Place, schemaAt } from "../../places/place.js";
import type { PlacePair } from "../../places/place-pair.js";
import { all, type Formula, isType } from "../../satisfiability/formula.js";
import { isSchema } from "../../subschemas.js";
import type { FoundChange } from "../rule.js";
import { rejected } from "./violations.js";

/** Items at the end of `prefixItems` that only one version has. */
export function tupleChanges(pair: PlacePair): {
  readonly added: readonly FoundChange[];
  readonly removed: readonly FoundChange[];
} {
  const [older, newer] = [lastTuple(pair.old), lastTuple(pair.new)];
  const [from, to] = [lengthOf(older), lengthOf(newer)];
  const changes = Array.from({ length: Math.abs(to - from) }, (_, step): FoundChange => {
    const index = Math.min(from, to) + step;
    const [before, after] = [
      violationAt(pair.old, older, index),
      violationAt(pair.new, newer, index),
    ];
    return {
      old: older && { ...older, below: [index] },
      new: newer && { ...newer, below: [index] },
      message: `${to > from ? "has a" : "has no"} schema for item ${index}${to > from ? " now" : " any more"}`,
      violates: {
        ...(after !== undefined && { backward: after }),
        ...(before !== undefined && { forward: before }),
      },
    };
  });
  return to > from ? { added: changes, removed: [] } : { added: [], removed: changes };
}

function lastTuple(place: Place): Occurrence | undefined {
  return place.occurrences("prefixItems").at(0);
}

function lengthOf(tuple: Occurrence | undefined): number {
  return Array.isArray(tuple?.value) ? tuple.value.length : 0;
}

/** A list whose item at an index one version rejects, by `prefixItems` or else by `items`. */
function violationAt(
  place: Place,
  tuple: Occurrence | undefined,
  index: number,
): Formula | undefined {
  const rest = place.occurrences("items").find(({ value }) => isSchema(value));
  const own = tuple !== undefined && index < lengthOf(tuple) ? schemaAt(tuple, index) : undefined;
  const schema = own ?? (rest && schemaAt(rest));
  if (schema === undefined) return undefined;
  return all(
    isType("array"),
    { kind: "item-count", min: index + 1, max: Number.POSITIVE_INFINITY },
    { kind: "each-item", from: index, to: index + 1, is: rejected(schema) },
  );
}
