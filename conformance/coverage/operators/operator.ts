import { isJsonObject } from "../../../src/base/json/value.js";
import type { Definitions } from "../../../src/contract/schemas/definitions.js";
import { type SchemaNode, type TypeName, typesOf } from "../../../src/contract/schemas/nodes.js";

/** A value that detects a mutant, and its description. */
export interface Witness {
  /** Name of the fixture in kebab-case; `%` stands for the place. */
  readonly name: string;
  /** What the fixture shows: a clause that starts with `%`, which stands for the place. */
  readonly why: string;
  /** The field below the place that name and clause are about; absent for the place itself. */
  readonly field?: string;
  /** The value at the place, made from a valid one. It is verified before use. */
  toValue(valid: unknown): unknown;
}

/** One change of one constraint. */
export interface Mutation {
  /** The constraint below its node, as unescaped tokens such as `["required", "2"]`. */
  readonly at: readonly string[];
  /** What the mutant does, as a clause: `does not require "task"`. */
  readonly change: string;
  /** The node that replaces the original. */
  readonly mutant: SchemaNode;
  /** Tried in this order. */
  readonly witnesses: readonly Witness[];
}

/** A change that no record can detect, and why. */
export interface Equivalence {
  readonly at: readonly string[];
  readonly change: string;
  readonly reason: string;
}

export type Change = Mutation | Equivalence;

/** Whether no record can detect the change, so that no fixture is required. */
export function isEquivalence(change: Change): change is Equivalence {
  return "reason" in change;
}

/**
 * The mutants of one keyword. Called for every node, because an absent keyword has a meaning too: an object
 * without `additionalProperties` is open, and a property outside `required` is optional. `$ref`s in nodes are
 * names in `definitions`.
 */
export interface Operator {
  readonly keyword: string;
  /** What can go unnoticed if its mutants survive, in one sentence. */
  readonly purpose: string;
  /** Mutants that accept more: an invalid fixture must detect each of them. */
  loosen(node: SchemaNode, definitions: Definitions): readonly Change[];
  /** Mutants that accept less: a valid fixture at the boundary must detect each of them. */
  tighten(node: SchemaNode, definitions: Definitions): readonly Change[];
}

/** A schema that rejects everything. */
export const NEVER: SchemaNode = { not: {} };

/** Detects a schema that forbids a place. */
export const present: Witness = {
  name: "with-%",
  why: "% is present",
  toValue: (valid) => valid,
};

/** Detects a schema that allows any value at a field. */
export function absent(field: string, name: string, why: string): Witness {
  return {
    name,
    why,
    field,
    toValue(valid) {
      if (!isJsonObject(valid)) return valid;
      const { [field]: _, ...rest } = valid;
      return rest;
    },
  };
}

/** One value of each type; null first, because it is the most common mistake. */
const VALUES: readonly (readonly [TypeName, unknown])[] = [
  ["null", null],
  ["boolean", true],
  ["string", "text"],
  ["integer", 0],
  ["array", []],
  ["object", {}],
];

/** Values of types that the node does not allow; `what` is the required type. */
export function strangersTo(node: SchemaNode, what?: string): Witness[] {
  const types = typesOf(node);
  const demand = what ?? types.map(withArticle).join(" or ");
  return VALUES.filter(([type]) => !types.some((allowed) => includesType(allowed, type))).map(
    ([type, value]) => ({
      name: `${type}-%`,
      why: `% is ${withArticle(type)}, but must be ${demand}`,
      toValue: () => value,
    }),
  );
}

/** Whether every value of type `type` is of type `allowed`. */
export function includesType(allowed: TypeName, type: TypeName): boolean {
  return allowed === type || (allowed === "number" && type === "integer");
}

/** A type's name with an article, such as `an object`. */
export function withArticle(type: TypeName): string {
  if (type === "null") return type;
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}
