import { RECORD_LENSES } from "./change.js";
import { SOURCES } from "./rules/rule.js";

/**
 * What may be meant by "breaks": that a reader rejects what is valid to the writer (`validate`); the same for
 * writers that emit declared properties only (`declared-writer`); or that code no longer compiles or runs with
 * the types that are generated for a language.
 */
export const LENSES = [...RECORD_LENSES, ...SOURCES] as const;
export type Lens = (typeof LENSES)[number];
