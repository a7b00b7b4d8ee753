import { isJsonObject } from "../../json/value.js";
import { declaredProperties, schemasFor } from "../places/members.js";
import type { PlacePair } from "../places/place.js";
import { isSwap, requirementChanges, toMentioned } from "./property-changes.js";
import { type FoundChange, lacks, MUST_BE_GIVEN, type Rule } from "./rule.js";

export const requiredAdded: Rule = {
  id: "R1",
  name: "required-added",
  summary: "A declared property is required now.",
  mend: "make the field optional, or release a new version of the format",
  find(pair) {
    return requiredDeclared(pair, false).map((found) => ({
      ...found,
      message: "is required now",
    }));
  },
};

export const requiredAddedWithDefault: Rule = {
  id: "R2",
  name: "required-added-with-default",
  summary: "A property with a default is required now; validators do not fill defaults in.",
  mend: "make the field optional, or release a new version of the format",
  find(pair) {
    return requiredDeclared(pair, true).map((found) => ({
      ...found,
      message: "is required now; its default is an annotation, which validators do not fill in",
    }));
  },
};

export const undeclaredRequired: Rule = {
  id: "R3",
  name: "undeclared-required",
  summary: "A property is required that no keyword declares.",
  mend: "make the field optional, or release a new version of the format",
  find(pair) {
    const change = requirementChanges(pair);
    const declared = [pair.old, pair.new].map((place) => declaredProperties(place));
    return [...change.added]
      .filter(([name]) => !declared.some((names) => names.has(name)) && !isSwap(change))
      .map(([name, mention]) => ({
        new: toMentioned(mention),
        property: name,
        message: "is required now, though it is not declared",
        violates: { backward: lacks(name) },
      }));
  },
};

export const requiredRemoved: Rule = {
  id: "R4",
  name: "required-removed",
  summary: "A property is required no longer.",
  mend: "let readers do without it before any writer leaves it out",
  find(pair) {
    const change = requirementChanges(pair);
    if (isSwap(change)) return [];
    return [...change.removed].map(([name, mention]) => ({
      old: toMentioned(mention),
      property: name,
      message: "is required no longer",
      violates: { forward: lacks(name) },
      breaksSource: {
        typescript: "code that reads it has to expect undefined",
        python: "code that reads it has to expect None",
      },
    }));
  },
};

export const requiredSwapped: Rule = {
  id: "R5",
  name: "required-swapped",
  summary: "Another property is required in place of one.",
  mend: "require both, or neither",
  find(pair) {
    const change = requirementChanges(pair);
    const [[to] = [], [from] = []] = [[...change.added], [...change.removed]];
    if (!isSwap(change) || to === undefined || from === undefined) return [];
    return [
      {
        old: toMentioned(from[1]),
        new: toMentioned(to[1]),
        property: to[0],
        message: `is required now in place of ${JSON.stringify(from[0])}`,
        violates: { backward: lacks(to[0]), forward: lacks(from[0]) },
        breaksSource: MUST_BE_GIVEN,
      },
    ];
  },
};

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
