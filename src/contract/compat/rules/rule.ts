import type { Occurrence, PlacePair } from "../places/place.js";
import type { Direction } from "../schema/schema-set.js";
import type { Formula } from "../solver/logic/formula.js";

/** Generated code that is compiled against a schema. */
export const SOURCES = ["typescript", "python"] as const;
export type Source = (typeof SOURCES)[number];

/** One kind of schema change. */
export interface Rule {
  /** As the table of docs/compatibility.md names it. */
  readonly id: string;
  readonly name: string;
  /** What changed, in one sentence. */
  readonly summary: string;
  /** What the schema's owner can do if the change breaks something. */
  readonly fix: string;
  /** Its findings are reported only if they break something. */
  readonly isSuspicion?: boolean;
  /** The changes of this kind at one matched place. */
  readonly find: (pair: PlacePair) => Iterable<FoundChange>;
}

/** A change, before it is known what it breaks. */
export interface FoundChange {
  /** The keyword in each version; undefined where it is absent. */
  readonly old?: Mentioned | undefined;
  readonly new?: Mentioned | undefined;
  /** The property in question, if the change is not about the place itself. */
  readonly property?: string;
  /** The definition that a union gained or lost as a member. */
  readonly member?: string | undefined;
  /** The contract of each version, if it is more than the value of the keyword. */
  readonly contract?: { readonly old: unknown; readonly new: unknown };
  /** A sentence that follows the place. */
  readonly message: string;
  /**
   * The values at the place that the reader would reject because of this change alone: the new reader for backward,
   * the old one for forward. Absent if there are none.
   */
  readonly violates?: Partial<Readonly<Record<Direction, Formula>>>;
  /** Whether it takes away what every old record had, so that no reader may rely on it any more. */
  readonly isMajor?: boolean;
  /** How code written for the old generated types breaks, if it does. */
  readonly breaksSource?: Partial<Readonly<Record<Source, string>>>;
}

/** A keyword, or a part of its value. */
export interface Mentioned extends Pick<Occurrence, "location" | "keyword"> {
  readonly below?: readonly (string | number)[];
}

type SourceBreaks = NonNullable<FoundChange["breaksSource"]>;

/** For a property that is now required. */
export const MUST_BE_SET: SourceBreaks = {
  typescript: "code that creates the object must set it",
  python: "code that creates the object must set it",
};

/** For a property that is no longer declared. */
export const IS_GONE: SourceBreaks = {
  typescript: "code that names it no longer compiles",
  python: "code that names it fails with an AttributeError",
};
