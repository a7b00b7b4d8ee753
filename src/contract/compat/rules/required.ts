import { isJsonObject } from "../../../base/json/value.js";
import { declaredProperties, type Mention, schemasFor } from "../places/members.js";
import type { PlacePair } from "../places/place.js";
import { isSwap, requirementChanges, toMentioned } from "./property-changes.js";
import { type FoundChange, MUST_BE_SET, type Rule } from "./rule.js";
import { lacks } from "./violations.js";

/** Properties whose declaration stays, and that are required in one version only. */
export const requiredRules: readonly Rule[] = [
  {
    id: "R1",
    name: "required-added",
    summary: "A declared property is now required.",
    fix: "make the property optional, or release a new version of the format",
    find: (pair) => findAdded(pair, "declared", "is required now"),
  },
  {
    id: "R2",
    name: "required-added-with-default",
    summary: "A property with a default is now required; validators do not apply defaults.",
    fix: "make the property optional, or release a new version of the format",
    find: (pair) =>
      findAdded(
        pair,
        "with default",
        "is required now; its default is an annotation, which validators do not apply",
      ),
  },
  {
    id: "R3",
    name: "undeclared-required",
    summary: "A property is now required that no keyword declares.",
    fix: "make the property optional, or release a new version of the format",
    find: (pair) => findAdded(pair, "undeclared", "is required now, though it is not declared"),
  },
  {
    id: "R4",
    name: "required-removed",
    summary: "A property is no longer required.",
    fix: "update readers to work without it before any writer omits it",
    find: findRemoved,
  },
  {
    id: "R5",
    name: "required-swapped",
    summary: "A property is now required in place of another.",
    fix: "require both, or neither",
    find: findSwapped,
  },
];

type Kind = "declared" | "with default" | "undeclared";

function findAdded(pair: PlacePair, kind: Kind, message: string): FoundChange[] {
  const changes = requirementChanges(pair);
  if (isSwap(changes)) return [];
  return [...changes.added]
    .filter(([name]) => kindOf(pair, name) === kind)
    .map(([name, mention]: [string, Mention]) => ({
      new: toMentioned(mention),
      property: name,
      message,
      violates: { backward: lacks(name) },
      ...(kind !== "undeclared" && { breaksSource: MUST_BE_SET }),
    }));
}

/** Undefined for a property that is newly declared: that is rule P4. */
function kindOf(pair: PlacePair, name: string): Kind | undefined {
  if (declaredProperties(pair.old).has(name)) {
    return hasDefault(pair, name) ? "with default" : "declared";
  }
  return declaredProperties(pair.new).has(name) ? undefined : "undeclared";
}

function hasDefault(pair: PlacePair, name: string): boolean {
  return schemasFor(pair.new, name).some(
    ({ schema }) => isJsonObject(schema) && Object.hasOwn(schema, "default"),
  );
}

function findRemoved(pair: PlacePair): FoundChange[] {
  const changes = requirementChanges(pair);
  if (isSwap(changes)) return [];
  return [...changes.removed].map(([name, mention]) => ({
    old: toMentioned(mention),
    property: name,
    message: "is no longer required",
    violates: { forward: lacks(name) },
    breaksSource: {
      typescript: "code that reads it must handle undefined",
      python: "code that reads it must handle None",
    },
  }));
}

function findSwapped(pair: PlacePair): FoundChange[] {
  const changes = requirementChanges(pair);
  const [[to] = [], [from] = []] = [[...changes.added], [...changes.removed]];
  if (!isSwap(changes) || to === undefined || from === undefined) return [];
  return [
    {
      old: toMentioned(from[1]),
      new: toMentioned(to[1]),
      property: to[0],
      message: `is required now in place of ${JSON.stringify(from[0])}`,
      violates: { backward: lacks(to[0]), forward: lacks(from[0]) },
      breaksSource: MUST_BE_SET,
    },
  ];
}
