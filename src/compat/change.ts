import type { Containment } from "./containment.js";
import { type FoundChange, type Rule, SOURCES } from "./rules/rule.js";
import type { Direction, SchemaLocation } from "./schema/schema-set.js";

/** The meanings of "breaks" that are about records. */
export const RECORD_LENSES = ["validate", "declared-writer"] as const;
export type RecordLens = (typeof RECORD_LENSES)[number];

/** What a change does in each direction to the records of a type. */
export type Effects = Readonly<Record<Direction, Containment>>;

/** A change of a schema, with what it breaks. */
export interface Change extends Omit<FoundChange, "violates"> {
  readonly rule: Rule;
  /** The record types at which it was found; "" for a schema that is one type itself. */
  readonly types: readonly string[];
  /** Where the values stand in a record of the first of these: names of properties and indices; `*` for any. */
  readonly path: readonly string[];
  /** The schema around it in each version. */
  readonly around: { readonly old: SchemaLocation; readonly new: SchemaLocation };
  readonly effects: Readonly<Record<RecordLens, Effects>>;
}

/**
 * What may be meant by "breaks": that a reader rejects what is valid to the writer (`validate`); the same for
 * writers that emit declared properties only (`declared-writer`); or that code no longer compiles or runs with
 * the types that are generated for a language.
 */
export const LENSES = [...RECORD_LENSES, ...SOURCES] as const;
export type Lens = (typeof LENSES)[number];
