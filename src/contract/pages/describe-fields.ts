import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject } from "../../base/json/value.js";
import type { ContractField } from "./contract-data.js";
import {
  describeConstraints,
  describeType,
  type Resolve,
  type Target,
  toList,
  valuesOf,
} from "./describe-type.js";

/** A field, before it is known when it appeared. */
export type DescribedField = Omit<ContractField, "since">;

interface DeclaredField extends DescribedField {
  /** Number of the alternative that declares it, from 1: a member of `anyOf` or `oneOf`. */
  readonly alternative?: number | undefined;
}

/**
 * The fields of a type, by path: those of the types that it extends, then its own. A field of an object without a name
 * of its own has the path to that object before its name.
 */
export function describeFields(target: Target): readonly DescribedField[] {
  const fields = new Map<string, DeclaredField>();
  for (const field of [
    ...inheritedFields(target.node, target.resolve, new Set([target.node])),
    ...ownFields(target.node, target.resolve, ""),
  ]) {
    const known = fields.get(field.path);
    const isRequired = field.isRequired || known?.isRequired === true;
    const isAlternative = field.alternative !== undefined;
    fields.set(field.path, isAlternative ? addAlternative(known, field) : { ...field, isRequired });
  }
  const required = toNames(target.node.required);
  return [...fields.values()].map(({ alternative: _, ...field }) =>
    required.has(field.path) ? { ...field, isRequired: true } : field,
  );
}

/** A field as it is known, with what an alternative says of it. */
function addAlternative(known: DeclaredField | undefined, field: DeclaredField): DeclaredField {
  const words = field.type.map((part) => (typeof part === "string" ? part : part.name)).join("");
  const constraints = [words, ...field.constraints].map(
    (each) => `alternative ${field.alternative}: ${each}`,
  );
  if (known === undefined) return { ...field, constraints, isRequired: false };
  const isOther = known.alternative !== undefined && !isDeepStrictEqual(known.type, field.type);
  return {
    ...known,
    type: isOther ? [...known.type, " or ", ...field.type] : known.type,
    constraints: [...known.constraints, ...constraints],
  };
}

function inheritedFields(
  node: JsonObject,
  resolve: Resolve,
  seen: Set<JsonObject>,
): readonly DeclaredField[] {
  return toList(node.allOf).flatMap((member) => {
    if (!isJsonObject(member) || typeof member.$ref !== "string") return [];
    const base = resolve(member.$ref);
    // A type that extends itself.
    if (base === undefined || seen.has(base.node)) return [];
    seen.add(base.node);
    return [
      ...inheritedFields(base.node, base.resolve, seen),
      ...ownFields(base.node, base.resolve, "").map((field) => ({ ...field, from: base.link })),
    ];
  });
}

function ownFields(node: JsonObject, resolve: Resolve, before: string): readonly DeclaredField[] {
  const required = toNames(node.required);
  const properties = isJsonObject(node.properties) ? Object.entries(node.properties) : [];
  const own = properties.flatMap(([name, value]) => {
    const child = isJsonObject(value) ? value : {};
    const field = {
      path: before + name,
      type: describeType(value, resolve),
      constraints: describeConstraints(value, resolve),
      isRequired: required.has(name),
      description: typeof child.description === "string" ? child.description : "",
      from: undefined,
    };
    return [field, ...partFields(child, resolve, before + name)];
  });
  const members = toList(node.allOf).flatMap((member) =>
    isJsonObject(member) && !("$ref" in member) ? ownFields(member, resolve, before) : [],
  );
  return [...own, ...members, ...alternativeFields(node, resolve, before)];
}

/** Fields that alternatives of an object declare. Alternatives with names are told with the type. */
function alternativeFields(
  { anyOf, oneOf }: JsonObject,
  resolve: Resolve,
  before: string,
): readonly DeclaredField[] {
  return [anyOf, oneOf].flatMap((members) =>
    toList(members).flatMap((member, index) =>
      isJsonObject(member) && !("$ref" in member)
        ? ownFields(member, resolve, before).map((field) => ({ ...field, alternative: index + 1 }))
        : [],
    ),
  );
}

/** Fields of an object in a field, in its items or in its values. */
function partFields(node: JsonObject, resolve: Resolve, path: string): readonly DeclaredField[] {
  const values = valuesOf(node);
  return [
    ...ownFields(node, resolve, `${path}.`),
    ...(isJsonObject(node.items) ? partFields(node.items, resolve, `${path}[]`) : []),
    ...(values === undefined ? [] : partFields(values, resolve, `${path}.*`)),
  ];
}

function toNames(required: unknown): ReadonlySet<unknown> {
  return new Set(toList(required));
}
