import { isJsonObject } from "../../../../src/json/value.js";
import { declaredProperties, schemasFor } from "../../places/objects.js";
import type { PlacePair } from "../../places/place-pair.js";
import type { FoundChange } from "../rule.js";
import { isSwap, requirementChanges, toMentioned } from "./properties.js";
import { MUST_BE_GIVEN } from "./source-breaks.js";
import { lacks } from "./violations.js";

/** Declared properties that are required now: those that have a default, or those that have none. */
export function requiredDeclared(
  pair: PlacePair,
  withDefault: boolean,
): Omit<FoundChange, "message">[] {
  const change = requirementChanges(pair);
  const declared = declaredProperties(pair.old);
  return [...change.added]
    .filter(([name]) => declared.has(name) && !isSwap(change))
    .filter(([name]) => hasDefault(pair, name) === withDefault)
    .map(([name, mention]) => ({
      new: toMentioned(mention),
      property: name,
      violates: { backward: lacks(name) },
      breaksSource: MUST_BE_GIVEN,
    }));
}

function hasDefault(pair: PlacePair, name: string): boolean {
  return schemasFor(pair.new, name).some(
    ({ schema }) => isJsonObject(schema) && Object.hasOwn(schema, "default"),
  );
}
