import { isJsonObject, type JsonObject } from "../../json/value.js";
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

/**
 * The fields of a type, by path: those of the types that it extends, then its own. A field of an object without a name
 * of its own has the path to that object before its name.
 */
export function describeFields(target: Target): readonly DescribedField[] {
  const fields = new Map<string, DescribedField>();
  for (const { path, isRequired, ...field } of [
    ...inheritedFields(target.node, target.resolve, new Set([target.node])),
    ...ownFields(target.node, target.resolve, ""),
  ]) {
    const known = fields.get(path);
    fields.set(path, { ...field, path, isRequired: isRequired || known?.isRequired === true });
  }
  const required = toNames(target.node.required);
  return [...fields.values()].map((field) =>
    required.has(field.path) ? { ...field, isRequired: true } : field,
  );
}

function inheritedFields(
  node: JsonObject,
  resolve: Resolve,
  seen: Set<JsonObject>,
): readonly DescribedField[] {
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

function ownFields(node: JsonObject, resolve: Resolve, before: string): readonly DescribedField[] {
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
  return [...own, ...members];
}

/** Fields of an object in a field, in its items or in its values. */
function partFields(node: JsonObject, resolve: Resolve, path: string): readonly DescribedField[] {
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
