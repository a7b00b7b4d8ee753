import { declaredProperties, requiredNames } from "../places/members.js";
import type { Place, PlacePair } from "../places/place.js";
import { any, type Formula } from "../solver/logic/formula.js";
import { isAnything } from "../solver/to-formula.js";
import {
  addedProperties,
  type PropertyChange,
  removedProperties,
  renamedProperties,
} from "./property-changes.js";
import { type FoundChange, IS_GONE, MUST_BE_SET, type Rule } from "./rule.js";
import { has, lacks, rejectedByAny, someProperty } from "./violations.js";

/**
 * Declared properties. What a change breaks depends on how the version without the declaration treats the name: it is
 * open, closed or partial (see PropertyChange).
 */
export const propertyRules: readonly Rule[] = [
  {
    id: "P1",
    name: "optional-added-to-open",
    summary: "An optional property with a schema was added where undeclared ones were allowed.",
    fix: "harmless if writers emit declared properties only (--lens declared-writer)",
    find: (pair) =>
      optionalAdded(pair, "open")
        .filter((property) => !isUnconstrained(property))
        .map((property) => ({
          ...added(property, "is now declared, and could be anything before"),
          violates: { backward: violationOf(property.name, property.schemas) },
        })),
  },
  {
    id: "P2",
    name: "anything-added-to-open",
    summary: "A property without constraints was added where undeclared ones were allowed.",
    fix: "nothing to fix",
    find: (pair) =>
      optionalAdded(pair, "open")
        .filter(isUnconstrained)
        .map((property) => added(property, "is now declared, and may be anything as before")),
  },
  {
    id: "P3",
    name: "optional-added-to-closed",
    summary: "An optional property was added where undeclared ones are rejected.",
    fix: "update readers to accept the new property before any writer emits it",
    find: (pair) =>
      optionalAdded(pair, "closed").map((property) => ({
        ...added(property, "is now allowed, and was rejected before"),
        violates: { forward: has(property.name) },
      })),
  },
  {
    id: "P4",
    name: "required-property-added",
    summary: "A required property was added.",
    fix: "make it optional, or release a new version of the format",
    find: (pair) =>
      addedProperties(pair)
        .filter(({ isRequirementChanged }) => isRequirementChanged)
        .map((property) => {
          const { name, schemas, others } = property;
          return {
            ...added(property, "is new and required"),
            violates: {
              backward: any(lacks(name), violationOf(name, schemas)),
              forward: violationOf(name, others),
            },
            breaksSource: MUST_BE_SET,
          };
        }),
  },
  {
    id: "P5",
    name: "property-added-to-partial",
    summary: "A property was declared that a pattern, or a schema for all others, covered before.",
    fix: "declare it with the schema that covered it",
    find: (pair) =>
      optionalAdded(pair, "partial").map((property) => {
        const { name, schemas, others } = property;
        return {
          ...added(property, "now has its own schema"),
          violates: { backward: violationOf(name, schemas), forward: violationOf(name, others) },
        };
      }),
  },
  {
    id: "P6",
    name: "property-removed-from-open",
    summary: "A declared property was removed where undeclared ones are allowed.",
    fix: "keep it declared and mark it deprecated first",
    find: (pair) =>
      removedFrom(pair, "open").map((property) => ({
        ...removed(property, "is no longer declared, and may now be anything"),
        violates: { forward: violationOf(property.name, property.schemas) },
      })),
  },
  {
    id: "P7",
    name: "property-removed-from-closed",
    summary: "A declared property was removed where undeclared ones are rejected.",
    fix: "keep it declared and mark it deprecated, or release a new version of the format",
    find: (pair) =>
      removedFrom(pair, "closed").map((property) => ({
        ...removed(property, "is no longer declared, and is now rejected"),
        violates: { backward: has(property.name) },
      })),
  },
  {
    id: "P8",
    name: "property-removed-from-partial",
    summary:
      "A declared property was removed that a pattern, or a schema for all others, now covers.",
    fix: "keep it declared and mark it deprecated first",
    find: (pair) =>
      removedFrom(pair, "partial").map((property) => {
        const { name, schemas, others } = property;
        return {
          ...removed(property, "no longer has its own schema"),
          violates: { backward: violationOf(name, others), forward: violationOf(name, schemas) },
        };
      }),
  },
  {
    id: "P9",
    name: "property-renamed",
    summary: "A property was renamed.",
    fix: "keep both names for one version, the old one deprecated",
    find: findRenamed,
  },
  {
    id: "P10",
    name: "reserved-name",
    summary: "A reserved name (x-reserved) is used again, or no longer reserved.",
    fix: "choose another name: old records may use the reserved one with a different meaning",
    find: findReserved,
  },
];

function optionalAdded(pair: PlacePair, content: PropertyChange["content"]): PropertyChange[] {
  return addedProperties(pair).filter(
    (property) => property.content === content && !property.isRequirementChanged,
  );
}

function removedFrom(pair: PlacePair, content: PropertyChange["content"]): PropertyChange[] {
  return removedProperties(pair).filter((property) => property.content === content);
}

function isUnconstrained({ schemas }: PropertyChange): boolean {
  return schemas.every(({ schema }) => isAnything(schema));
}

function added({ name, at }: PropertyChange, message: string): FoundChange {
  return { new: at, property: name, message };
}

function removed({ name, at, isRequirementChanged }: PropertyChange, message: string): FoundChange {
  const isMajor = isRequirementChanged;
  return { old: at, property: name, message, breaksSource: IS_GONE, isMajor };
}

/** An object in which one of the schemas rejects the property. */
function violationOf(name: string, schemas: PropertyChange["schemas"]): Formula {
  return someProperty({ only: [name] }, rejectedByAny(schemas));
}

function findRenamed(pair: PlacePair): FoundChange[] {
  return renamedProperties(pair).map(({ from, to }) => ({
    old: from.at,
    new: to.at,
    property: to.name,
    message: `was called ${JSON.stringify(from.name)}`,
    violates: {
      backward: renameViolation(pair.new, { declared: to, gone: from }),
      forward: renameViolation(pair.old, { declared: from, gone: to }),
    },
    breaksSource: {
      typescript: `code that names ${JSON.stringify(from.name)} no longer compiles`,
      python: `code that names ${JSON.stringify(from.name)} fails with an AttributeError`,
    },
  }));
}

/** A value rejected by a reader that declares one name and not the other. */
function renameViolation(
  reader: Place,
  { declared, gone }: { readonly declared: PropertyChange; readonly gone: PropertyChange },
): Formula {
  const isRequired = requiredNames(reader).has(declared.name);
  return any(
    ...(isRequired ? [lacks(declared.name)] : []),
    violationOf(gone.name, gone.others),
    violationOf(declared.name, declared.schemas),
  );
}

function findReserved({ old: before, new: after }: PlacePair): FoundChange[] {
  const reserved = new Set(reservedNames(after));
  const declared = declaredProperties(after);
  return reservedNames(before).flatMap((name) => {
    if (declared.has(name)) {
      return [{ property: name, message: "was reserved, and is used again" }];
    }
    return reserved.has(name) ? [] : [{ property: name, message: "is no longer reserved" }];
  });
}

function reservedNames(place: Place): string[] {
  return place
    .occurrences("x-reserved")
    .flatMap(({ value }) => (Array.isArray(value) ? value : []))
    .filter((name) => typeof name === "string");
}
