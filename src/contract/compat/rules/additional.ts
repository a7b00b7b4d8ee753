import { type Occurrence, type Place, type PlacePair, schemaAt } from "../places/place.js";
import { keysOf } from "../solver/keywords/objects.js";
import type { Formula } from "../solver/logic/formula.js";
import { isAnything } from "../solver/to-formula.js";
import type { FoundChange, Rule } from "./rule.js";
import { rejected, someProperty } from "./violations.js";

/** `additionalProperties` is added or removed. Absent, `true` and `{}` mean the same. */
export const additionalRules: readonly Rule[] = [
  {
    id: "A1",
    name: "closed",
    summary: "Undeclared properties are now rejected.",
    fix: "leave the object open, or release a new version of the format",
    find: (pair) => find(pair, "closed", "rejects undeclared properties now"),
  },
  {
    id: "A2",
    name: "opened",
    summary: "Undeclared properties are now allowed.",
    fix: "update readers to accept them before any writer emits them",
    find: (pair) => find(pair, "opened", "allows undeclared properties now"),
  },
  {
    id: "A3",
    name: "partly-closed",
    summary: "Undeclared properties must satisfy a schema that only one version has.",
    fix: "leave the object as open as it was, or release a new version of the format",
    find: (pair) => find(pair, "partial", "constrains undeclared properties in one version only"),
  },
];

type Kind = "closed" | "opened" | "partial";

function find(pair: PlacePair, kind: Kind, message: string): FoundChange[] {
  const [older, newer] = [strictest(pair.old), strictest(pair.new)];
  if ((older === undefined) === (newer === undefined)) return [];
  const isClosed = [older, newer].some((each) => each?.value === false);
  const actual: Kind = isClosed ? (newer === undefined ? "opened" : "closed") : "partial";
  if (actual !== kind) return [];
  return [
    {
      old: older,
      new: newer,
      message,
      violates: {
        ...(newer !== undefined && { backward: violationOf(newer) }),
        ...(older !== undefined && { forward: violationOf(older) }),
      },
      ...(isClosed && { breaksSource: { typescript: "the index signature was added or removed" } }),
    },
  ];
}

/** The first occurrence that constrains anything, `false` before others. */
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
