import type { Direction } from "../direction.js";
import type { Occurrence } from "../places/place.js";
import type { PlacePair } from "../places/place-pair.js";
import type { Formula } from "../satisfiability/formula.js";

/** Generated code that is compiled against a schema. */
export const SOURCES = ["typescript", "python"] as const;
export type Source = (typeof SOURCES)[number];

/** One kind of change of a schema. */
export interface Rule {
  /** Its row in the table of docs/compatibility.md. */
  readonly id: string;
  readonly name: string;
  /** What changed, in one sentence for the table. */
  readonly summary: string;
  /** What the schema's owner can do where it breaks something. */
  readonly mend: string;
  /** What it finds may break nothing, and is then not worth a word. */
  readonly isSuspicion?: boolean;
  /** The changes of this kind at one place that both versions speak of. */
  readonly find: (pair: PlacePair) => Iterable<FoundChange>;
}

/** A change, before it is known what it breaks. */
export interface FoundChange {
  /** Where the keyword stands in each version; undefined where it does not. */
  readonly old?: Mentioned | undefined;
  readonly new?: Mentioned | undefined;
  /** The property that it is about, where that is not the place itself. */
  readonly property?: string;
  /** The definition that a union has a member more or less of. */
  readonly member?: string | undefined;
  /** What each version says, where that is more than what the keyword says that stands there. */
  readonly says?: { readonly old: unknown; readonly new: unknown };
  /** A sentence that follows the place. */
  readonly message: string;
  /**
   * What a value at the place is like that the reader would reject for this change alone: the new reader in
   * the direction backward, the old one forward. Absent where no value can be.
   */
  readonly violates?: Partial<Readonly<Record<Direction, Formula>>>;
  /** What is wrong with code that was written for the old version's generated types, if it is. */
  readonly breaksSource?: Partial<Readonly<Record<Source, string>>>;
}

/** A keyword, or a part of its value. */
export interface Mentioned extends Pick<Occurrence, "location" | "keyword"> {
  readonly below?: readonly (string | number)[];
}
