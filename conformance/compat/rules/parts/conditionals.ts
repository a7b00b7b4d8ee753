import type { Occurrence, Place } from "../../places/place.js";
import type { PlacePair } from "../../places/place-pair.js";
import type { FoundChange } from "../rule.js";
import { differencesOf } from "./differences.js";
import { failsAny } from "./violations.js";

const BRANCHES = ["then", "else"];

/**
 * A change of what holds under a condition; none where only the inside of a `then` or `else` changed that both
 * versions have under the same condition, since that is a place of its own.
 */
export function conditionalChanges(pair: PlacePair): FoundChange[] {
  const { removed, added } = differencesOf(pair, "if", BRANCHES);
  const [older, newer] = [removed[0], added[0]];
  if (older === undefined && newer === undefined) return [];
  if (isMatched(pair)) return [];
  return [
    {
      old: older,
      new: newer,
      message: "has another condition, or something else holds under it",
      violates: {
        ...(added.length > 0 && { backward: failsAny(added) }),
        ...(removed.length > 0 && { forward: failsAny(removed) }),
      },
    },
  ];
}

function isMatched(pair: PlacePair): boolean {
  const { removed, added } = differencesOf(pair, "if");
  if (removed.length + added.length > 0) return false;
  return BRANCHES.every((branch) => has(pair.old, branch) === has(pair.new, branch));
}

function has(place: Place, branch: string): boolean {
  return place
    .occurrences("if")
    .some(({ location }: Occurrence) => Object.hasOwn(location.schema, branch));
}
