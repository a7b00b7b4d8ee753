import { isAnything } from "../../places/is-anything.js";
import { type Occurrence, type Place, schemaAt } from "../../places/place.js";
import type { PlacePair } from "../../places/place-pair.js";
import type { Formula } from "../../satisfiability/formula.js";
import { keysOf } from "../../satisfiability/keywords/properties.js";
import type { FoundChange } from "../rule.js";
import { rejected, someProperty } from "./violations.js";

export interface AdditionalChange {
  readonly kind: "closed" | "opened" | "partial";
  readonly found: FoundChange;
}

/**
 * What became of the properties that no keyword names, where at least one version lets all of them through;
 * absent, `true` and `{}` are the same.
 */
export function additionalChangeOf(pair: PlacePair): AdditionalChange | undefined {
  const [older, newer] = [strictest(pair.old), strictest(pair.new)];
  if ((older === undefined) === (newer === undefined)) return undefined;
  const isClosed = [older, newer].some((each) => each?.value === false);
  const found = {
    old: older,
    new: newer,
    message: "",
    violates: {
      ...(newer !== undefined && { backward: violationOf(newer) }),
      ...(older !== undefined && { forward: violationOf(older) }),
    },
    ...(isClosed && {
      breaksSource: { typescript: "the index signature is there no longer, or is there now" },
    }),
  };
  if (!isClosed) return { kind: "partial", found };
  return { kind: newer === undefined ? "opened" : "closed", found };
}

/** The first that lets not everything through, `false` before others. */
function strictest(place: Place): Occurrence | undefined {
  const demanding = place
    .occurrences("additionalProperties")
    .filter((occurrence) => !isAnything(schemaAt(occurrence).schema));
  return demanding.find(({ value }) => value === false) ?? demanding[0];
}

function violationOf(occurrence: Occurrence): Formula {
  const { properties, patternProperties } = occurrence.location.schema;
  return someProperty(
    { except: keysOf(properties), notMatching: keysOf(patternProperties) },
    rejected(schemaAt(occurrence)),
  );
}
