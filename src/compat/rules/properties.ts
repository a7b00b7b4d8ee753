import { declaredProperties, requiredNames } from "../places/members.js";
import type { Place } from "../places/place.js";
import { any, type Formula } from "../solver/formula.js";
import { isAnything } from "../solver/to-formula.js";
import {
  addedProperties,
  type PropertyChange,
  rejectedByAny,
  removedProperties,
  renamedProperties,
} from "./property-changes.js";
import { has, IS_GONE, lacks, MUST_BE_GIVEN, type Rule, someProperty } from "./rule.js";

export const optionalAddedToOpen: Rule = {
  id: "P1",
  name: "optional-added-to-open",
  summary: "An optional property with a schema was added where undeclared ones were allowed.",
  mend: "harmless when writers emit declared properties only (--lens declared-writer)",
  find(pair) {
    return addedProperties(pair)
      .filter(({ content, isRequirementChanged }) => content === "open" && !isRequirementChanged)
      .filter(({ schemas }) => !schemas.every(({ schema }) => isAnything(schema)))
      .map(({ name, at, schemas }) => ({
        new: at,
        property: name,
        message: "is declared now, and was anything before",
        violates: { backward: someProperty({ only: [name] }, rejectedByAny(schemas)) },
      }));
  },
};

export const reservedName: Rule = {
  id: "P10",
  name: "reserved-name",
  summary: "A reserved name (x-reserved) is used again, or reserved no longer.",
  mend: "choose another name: old records may hold the reserved one with another meaning",
  find({ old: before, new: after }) {
    const reserved = new Set(reservedNames(after));
    const declared = declaredProperties(after);
    return reservedNames(before).flatMap((name) => {
      if (declared.has(name))
        return [{ property: name, message: "was reserved, and is used again" }];
      return reserved.has(name) ? [] : [{ property: name, message: "is reserved no longer" }];
    });
  },
};

function reservedNames(place: Place): string[] {
  return place
    .occurrences("x-reserved")
    .flatMap(({ value }) => (Array.isArray(value) ? value : []))
    .filter((name) => typeof name === "string");
}

export const anythingAddedToOpen: Rule = {
  id: "P2",
  name: "anything-added-to-open",
  summary: "A property that may be anything was added where undeclared ones were allowed.",
  mend: "nothing to mend",
  find(pair) {
    return addedProperties(pair)
      .filter(({ content, isRequirementChanged }) => content === "open" && !isRequirementChanged)
      .filter(({ schemas }) => schemas.every(({ schema }) => isAnything(schema)))
      .map(({ name, at }) => ({
        new: at,
        property: name,
        message: "is declared now, and may be anything as before",
      }));
  },
};

export const optionalAddedToClosed: Rule = {
  id: "P3",
  name: "optional-added-to-closed",
  summary: "An optional property was added where undeclared ones are rejected.",
  mend: "let readers take the new property before any writer emits it",
  find(pair) {
    return addedProperties(pair)
      .filter(({ content, isRequirementChanged }) => content === "closed" && !isRequirementChanged)
      .map(({ name, at }) => ({
        new: at,
        property: name,
        message: "is allowed now, and was rejected before",
        violates: { forward: has(name) },
      }));
  },
};

export const requiredPropertyAdded: Rule = {
  id: "P4",
  name: "required-property-added",
  summary: "A required property was added.",
  mend: "make it optional, or release a new version of the format",
  find(pair) {
    return addedProperties(pair)
      .filter(({ isRequirementChanged }) => isRequirementChanged)
      .map(({ name, at, schemas, others }) => ({
        new: at,
        property: name,
        message: "is new and required",
        violates: {
          backward: any(lacks(name), someProperty({ only: [name] }, rejectedByAny(schemas))),
          forward: someProperty({ only: [name] }, rejectedByAny(others)),
        },
        breaksSource: MUST_BE_GIVEN,
      }));
  },
};

export const propertyAddedToPartial: Rule = {
  id: "P5",
  name: "property-added-to-partial",
  summary: "A property was declared for which a pattern, or a schema for all others, spoke before.",
  mend: "declare it with the schema that governed it",
  find(pair) {
    return addedProperties(pair)
      .filter(({ content, isRequirementChanged }) => content === "partial" && !isRequirementChanged)
      .map(({ name, at, schemas, others }) => ({
        new: at,
        property: name,
        message: "has a schema of its own now",
        violates: {
          backward: someProperty({ only: [name] }, rejectedByAny(schemas)),
          forward: someProperty({ only: [name] }, rejectedByAny(others)),
        },
      }));
  },
};

export const propertyRemovedFromOpen: Rule = {
  id: "P6",
  name: "property-removed-from-open",
  summary: "A declared property was removed where undeclared ones are allowed.",
  mend: "keep it declared and mark it deprecated first",
  find(pair) {
    return removedProperties(pair)
      .filter(({ content }) => content === "open")
      .map(({ name, at, schemas }) => ({
        old: at,
        property: name,
        message: "is no longer declared, and may be anything now",
        violates: { forward: someProperty({ only: [name] }, rejectedByAny(schemas)) },
        breaksSource: IS_GONE,
      }));
  },
};

export const propertyRemovedFromClosed: Rule = {
  id: "P7",
  name: "property-removed-from-closed",
  summary: "A property was removed where undeclared ones are rejected.",
  mend: "keep it declared and mark it deprecated, or release a new version of the format",
  find(pair) {
    return removedProperties(pair)
      .filter(({ content }) => content === "closed")
      .map(({ name, at }) => ({
        old: at,
        property: name,
        message: "is no longer declared, and is rejected now",
        violates: { backward: has(name) },
        breaksSource: IS_GONE,
      }));
  },
};

export const propertyRemovedFromPartial: Rule = {
  id: "P8",
  name: "property-removed-from-partial",
  summary: "A property was removed for which a pattern, or a schema for all others, speaks now.",
  mend: "keep it declared and mark it deprecated first",
  find(pair) {
    return removedProperties(pair)
      .filter(({ content }) => content === "partial")
      .map(({ name, at, schemas, others }) => ({
        old: at,
        property: name,
        message: "has no schema of its own any more",
        violates: {
          backward: someProperty({ only: [name] }, rejectedByAny(others)),
          forward: someProperty({ only: [name] }, rejectedByAny(schemas)),
        },
        breaksSource: IS_GONE,
      }));
  },
};

export const propertyRenamed: Rule = {
  id: "P9",
  name: "property-renamed",
  summary: "A property has another name.",
  mend: "keep both names for a version, the old one deprecated",
  find(pair) {
    return renamedProperties(pair).map(({ from, to }) => ({
      old: from.at,
      new: to.at,
      property: to.name,
      message: `was called ${JSON.stringify(from.name)}`,
      violates: {
        backward: violationOf(pair.new, { declared: to, gone: from }),
        forward: violationOf(pair.old, { declared: from, gone: to }),
      },
      breaksSource: {
        typescript: `code that names ${JSON.stringify(from.name)} no longer compiles`,
        python: `code that names ${JSON.stringify(from.name)} fails with an AttributeError`,
      },
    }));
  },
};

/** What a reader rejects that declares one name and not the other. */
function violationOf(
  reader: Place,
  { declared, gone }: { readonly declared: PropertyChange; readonly gone: PropertyChange },
): Formula {
  const isRequired = requiredNames(reader).has(declared.name);
  return any(
    ...(isRequired ? [lacks(declared.name)] : []),
    someProperty({ only: [gone.name] }, rejectedByAny(gone.others)),
    someProperty({ only: [declared.name] }, rejectedByAny(declared.schemas)),
  );
}
