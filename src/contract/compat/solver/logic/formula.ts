import { memoize } from "../../../../base/memoize.js";
import type { SchemaLocation } from "../../schema/schema-set.js";
import { matchesPattern } from "./patterns.js";

export const TYPES = ["null", "boolean", "number", "string", "array", "object"] as const;
export type Type = (typeof TYPES)[number];

/** A value is valid under a schema (`holds`), or invalid. */
export interface Literal {
  readonly kind: "schema";
  readonly location: SchemaLocation;
  readonly holds: boolean;
}

/** A set of property names. */
export interface Names {
  /** Undefined: any name. */
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  /** All of `matching` match, and none of `notMatching`. */
  readonly matching?: readonly string[];
  readonly notMatching?: readonly string[];
}

/**
 * One constraint on a value. All but the first three apply to values of one type, and are true of all others.
 */
export type Constraint =
  | { readonly kind: "types"; readonly types: readonly Type[] }
  | { readonly kind: "values"; readonly values: readonly unknown[]; readonly among: boolean }
  /** A constraint that the solver cannot model. Equal `what` means the same constraint; undefined equals nothing. */
  | {
      readonly kind: "opaque";
      readonly keyword: string;
      readonly what: string | undefined;
      /** The schema on which it depends. */
      readonly location?: SchemaLocation;
      /** The number that no double holds, if that is why. */
      readonly number?: string;
    }
  // number
  | { readonly kind: "minimum"; readonly bound: number; readonly exclusive: boolean }
  | { readonly kind: "maximum"; readonly bound: number; readonly exclusive: boolean }
  | { readonly kind: "multiple"; readonly of: number; readonly holds: boolean }
  // string
  | { readonly kind: "length"; readonly min: number; readonly max: number }
  | { readonly kind: "pattern"; readonly pattern: string; readonly holds: boolean }
  | { readonly kind: "format"; readonly format: string; readonly holds: boolean }
  // array
  | { readonly kind: "item-count"; readonly min: number; readonly max: number }
  | { readonly kind: "unique-items"; readonly holds: boolean }
  /** Every item from index `from` (inclusive) to `to` (exclusive). */
  | { readonly kind: "each-item"; readonly from: number; readonly to: number; readonly is: Formula }
  | { readonly kind: "some-item"; readonly from: number; readonly is: Formula }
  /** The number of items that are valid under a schema. */
  | {
      readonly kind: "contains";
      readonly location: SchemaLocation;
      readonly min: number;
      readonly max: number;
    }
  // object
  | { readonly kind: "property-count"; readonly min: number; readonly max: number }
  | { readonly kind: "required"; readonly name: string }
  | { readonly kind: "absent"; readonly name: string }
  | { readonly kind: "each-property"; readonly names: Names; readonly is: Formula }
  | { readonly kind: "some-property"; readonly names: Names; readonly is: Formula }
  | { readonly kind: "each-name"; readonly is: Formula }
  | { readonly kind: "some-name"; readonly is: Formula };

/**
 * One part of a schema, or its negation. `demand` identifies the part in both cases: equal parts cannot hold and
 * fail at once.
 */
export interface PartLiteral {
  readonly kind: "part";
  readonly demand: Formula;
  readonly holds: boolean;
  readonly is: Formula;
}

/** A condition on a value. */
export type Formula =
  | Literal
  | PartLiteral
  | Constraint
  | { readonly kind: "all"; readonly of: readonly Formula[] }
  | { readonly kind: "any"; readonly of: readonly Formula[] };

export const ALWAYS: Formula = { kind: "all", of: [] };
export const NEVER: Formula = { kind: "any", of: [] };

export function all(...of: readonly Formula[]): Formula {
  return of.length === 1 && of[0] !== undefined ? of[0] : { kind: "all", of };
}

export function any(...of: readonly Formula[]): Formula {
  return of.length === 1 && of[0] !== undefined ? of[0] : { kind: "any", of };
}

export function isType(...types: readonly Type[]): Formula {
  return { kind: "types", types };
}

export function isNoType(...types: readonly Type[]): Formula {
  return { kind: "types", types: TYPES.filter((type) => !types.includes(type)) };
}

/** Whether a name belongs to a set of names. `step` is called with the cost; throws as `matchesPattern` does. */
export function includesName(names: Names, name: string, step: (cost: number) => void): boolean {
  const { only, except, matching = [], notMatching = [] } = names;
  if (only !== undefined && !setOf(only).has(name)) return false;
  if (except !== undefined && setOf(except).has(name)) return false;
  const matches = (pattern: string): boolean => matchesPattern(pattern, name, step);
  return matching.every(matches) && !notMatching.some(matches);
}

/** The same set as constraints on a string. */
export function toFormulas({ only, except, matching = [], notMatching = [] }: Names): Formula[] {
  const pattern = (holds: boolean) => (pattern: string) =>
    ({ kind: "pattern", pattern, holds }) as const;
  return [
    { kind: "types", types: ["string"] },
    ...(only === undefined ? [] : [values(only, true)]),
    ...(except === undefined ? [] : [values(except, false)]),
    ...matching.map(pattern(true)),
    ...notMatching.map(pattern(false)),
  ];
}

function values(values: readonly string[], among: boolean): Constraint {
  return { kind: "values", values, among };
}

/** Cached, because lists of names are long and queried often. */
const setOf = memoize((list: readonly string[]): ReadonlySet<string> => new Set(list));
