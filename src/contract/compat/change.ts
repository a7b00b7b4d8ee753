import type { Containment } from "./containment.js";
import type { EntryPair } from "./entry-points.js";
import { type FoundChange, type Rule, SOURCES, type Source } from "./rules/rule.js";
import type { Direction, SchemaLocation } from "./schema/schema-set.js";

/** Compatibility modes about records. */
export const RECORD_LENSES = ["validate", "declared-writer"] as const;
export type RecordLens = (typeof RECORD_LENSES)[number];

/** What a change does to the records of one type, in one direction. */
export type Effect = Containment & {
  /** The type, and the place in its records. A witness is a record of this type and of no other. */
  readonly at?: { readonly type: EntryPair; readonly path: readonly string[] };
};

/** What a change breaks in each direction. */
export type Effects = Readonly<Record<Direction, Effect>>;

/** A schema change, with what it breaks. */
export interface Change extends Omit<FoundChange, "violates"> {
  readonly rule: Rule;
  /** The record types that it affects; "" if the schema itself is one type. */
  readonly types: readonly string[];
  /** Its place in a record of the first type: property names and indices; `*` for any. */
  readonly path: readonly string[];
  /** The enclosing schema in each version. */
  readonly around: { readonly old: SchemaLocation; readonly new: SchemaLocation };
  readonly effects: Readonly<Record<RecordLens, Effects>>;
  /** What it would break if the type in which it is were read by itself. No verdict depends on it. */
  readonly byItself?: Readonly<Record<RecordLens, Effects>>;
}

/**
 * Compatibility modes, each a definition of "breaks": a reader rejects records that are valid for the writer
 * (`validate`); the same for writers that emit declared properties only (`declared-writer`); code no longer compiles or
 * runs with the generated types of a language.
 */
export const LENSES = [...RECORD_LENSES, ...SOURCES] as const;
export type Lens = (typeof LENSES)[number];

/** Whether a mode is about code, not about records. */
export function isSource(lens: Lens): lens is Source {
  return SOURCES.some((source) => source === lens);
}
