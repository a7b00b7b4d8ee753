import type { Definitions } from "../../schemas/link-definitions.js";
import type { SchemaNode } from "../../schemas/schema-node.js";

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
