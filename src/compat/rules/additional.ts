import { type Occurrence, type Place, type PlacePair, schemaAt } from "../places/place.js";
import type { Formula } from "../solver/formula.js";
import { keysOf } from "../solver/keywords/objects.js";
import { isAnything } from "../solver/to-formula.js";
import { type FoundChange, type Rule, rejected, someProperty } from "./rule.js";

export const closed: Rule = {
  id: "A1",
  name: "closed",
  summary: "Undeclared properties are rejected now.",
  mend: "leave the object open, or release a new version of the format",
  find(pair) {
    const change = additionalChangeOf(pair);
    return change?.kind === "closed"
      ? [{ ...change.found, message: "rejects undeclared properties now" }]
      : [];
  },
};

export const opened: Rule = {
  id: "A2",
  name: "opened",
  summary: "Undeclared properties are allowed now.",
  mend: "let readers take them before any writer emits them",
  find(pair) {
    const change = additionalChangeOf(pair);
    return change?.kind === "opened"
      ? [{ ...change.found, message: "allows undeclared properties now" }]
      : [];
  },
};

export const partlyClosed: Rule = {
  id: "A3",
  name: "partly-closed",
  summary: "Undeclared properties have to satisfy a schema now, or no longer.",
  mend: "leave the object as open as it was, or release a new version of the format",
  find(pair) {
    const change = additionalChangeOf(pair);
    return change?.kind === "partial"
      ? [{ ...change.found, message: "has or had a schema for undeclared properties" }]
      : [];
  },
};

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
