import { isJsonObject } from "../../../src/json/value.js";
import type { Definitions } from "../../schemas/definitions.js";
import { type SchemaNode, type TypeName, typesOf } from "../../schemas/nodes.js";

/** A value by which a mutant can be told from the schema, and how it is called. */
export interface Witness {
  /** Name of the fixture in kebab-case; `%` stands for the place. */
  readonly name: string;
  /** What the fixture shows, as a clause that begins with `%`, which stands for the place. */
  readonly why: string;
  /** The field below the place that name and clause speak of; the place itself when absent. */
  readonly field?: string;
  /** The value at the place, made from a valid one. It is tried out before it is used. */
  toValue(valid: unknown): unknown;
}

/** One change to one constraint. */
export interface Mutation {
  /** The constraint below its node, in unescaped tokens, such as `["required", "2"]`. */
  readonly at: readonly string[];
  /** What the mutant does, as a clause: `does not require "task"`. */
  readonly change: string;
  /** The node in place of the original. */
  readonly mutant: SchemaNode;
  /** Tried in this order. */
  readonly witnesses: readonly Witness[];
}

/** A change that no record can tell, and why that is so. */
export interface Equivalence {
  readonly at: readonly string[];
  readonly change: string;
  readonly reason: string;
}

export type Change = Mutation | Equivalence;

/** Whether no record can tell the change, so that no fixture is asked for. */
export function isEquivalence(change: Change): change is Equivalence {
  return "reason" in change;
}

/**
 * The changes to one keyword. It is asked for every node, because an absent keyword says something
 * too: an object without `additionalProperties` is open, a property outside `required` is optional.
 * `$ref`s of the nodes are names in `definitions`.
 */
export interface Operator {
  readonly keyword: string;
  /** What a schema loses unnoticed when its mutants survive, in one sentence. */
  readonly purpose: string;
  /** Mutants that accept more: an invalid fixture must tell each of them. */
  loosen(node: SchemaNode, definitions: Definitions): readonly Change[];
  /** Mutants that accept less: a valid fixture at the boundary must tell each of them. */
  tighten(node: SchemaNode, definitions: Definitions): readonly Change[];
}

/** A schema that allows nothing. */
export const NEVER: SchemaNode = { not: {} };

/** Tells every schema that forbids a place altogether. */
export const present: Witness = {
  name: "with-%",
  why: "% is present",
  toValue: (valid) => valid,
};

/** Tells a schema that does not care whether there is such a field. */
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

/** One value of each type; null first, because it is what goes wrong most often. */
const VALUES: readonly (readonly [TypeName, unknown])[] = [
  ["null", null],
  ["boolean", true],
  ["string", "text"],
  ["integer", 0],
  ["array", []],
  ["object", {}],
];

/** Values of types that the node does not allow; `what` says what it must be. */
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

/** Whether each value of the type `type` is of the type `allowed`. */
export function includesType(allowed: TypeName, type: TypeName): boolean {
  return allowed === type || (allowed === "number" && type === "integer");
}

/** A type's name as a noun, such as `an object`. */
export function withArticle(type: TypeName): string {
  if (type === "null") return type;
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}
