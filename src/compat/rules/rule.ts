import canonicalize from "canonicalize";
import type { Occurrence, Place, PlacePair } from "../places/place.js";
import { childOf, type Direction, type SchemaLocation } from "../schema-set.js";
import { all, any, type Formula, isType, type Names } from "../solver/formula.js";
import { keywords } from "../solver/keywords/index.js";
import { isAnnotation, isUnknownKeyword } from "../solver/to-formula.js";

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

/** A value that breaks one keyword of a schema; any may, when nobody knows what the keyword means. */
export function fails({ location, keyword }: Occurrence): Formula {
  if (isUnknownKeyword(keyword)) return { kind: "opaque", keyword, what: undefined };
  const meaning = keywords.find(({ names }) => names.includes(keyword));
  const context = {
    schema: location.schema,
    location,
    at: (pointer: string, holds: boolean) =>
      ({ kind: "schema", location: childOf(location, pointer), holds }) as const,
  };
  return any(...(meaning?.parts(context) ?? []).map((part) => part.fails));
}

/** A value that breaks one of them. */
export function failsAny(occurrences: readonly Occurrence[]): Formula {
  return any(...occurrences.map(fails));
}

/** A value that is invalid under a schema. */
export function rejected(location: SchemaLocation): Formula {
  return { kind: "schema", location, holds: false };
}

export function accepted(location: SchemaLocation): Formula {
  return { kind: "schema", location, holds: true };
}

/** An object without a property. */
export function lacks(name: string): Formula {
  return all(isType("object"), { kind: "absent", name });
}

/** An object that has a property. */
export function has(name: string): Formula {
  return all(isType("object"), { kind: "required", name });
}

/** An object that has a property of such a name of which `is` is true. */
export function someProperty(names: Names, is: Formula): Formula {
  return all(isType("object"), { kind: "some-property", names, is });
}

/** What became of a keyword whose change needs no words of its own. */
export function keywordChanges(pair: PlacePair, keyword: string): FoundChange[] {
  const difference = differencesOf(pair, keyword);
  const changed = changedInPlace(difference);
  if (changed !== undefined) return [toKeywordFinding({ older: changed[0], newer: changed[1] })];
  return [
    ...difference.removed.map((older) => toKeywordFinding({ older })),
    ...difference.added.map((newer) => toKeywordFinding({ newer })),
  ];
}

/** Only where one version does without the keyword. */
export function presenceChanges(pair: PlacePair, keyword: string): FoundChange[] {
  const places = [pair.old, pair.new].map((place) => place.occurrences(keyword).length);
  return places.includes(0) ? keywordChanges(pair, keyword) : [];
}

export function toKeywordFinding(sides: {
  readonly older?: Occurrence;
  readonly newer?: Occurrence;
}): FoundChange {
  const { older, newer } = sides;
  return {
    old: older,
    new: newer,
    message: describe(older, newer),
    violates: {
      ...(newer !== undefined && { backward: fails(newer) }),
      ...(older !== undefined && { forward: fails(older) }),
    },
  };
}

function describe(older: Occurrence | undefined, newer: Occurrence | undefined): string {
  if (older === undefined) return `has ${show(newer)} now`;
  if (newer === undefined) return `has no ${show(older)} any more`;
  const [was, is] = [show(older), show(newer)];
  return was === is ? `has another ${was}` : `was ${was}, is ${is}`;
}

/** A value that is long, as most schemas are, is not shown. */
function show(occurrence: Occurrence | undefined): string {
  if (occurrence === undefined) return "";
  const text = JSON.stringify(occurrence.value);
  return text.length > 60 ? occurrence.keyword : `${occurrence.keyword} ${text}`;
}

/** What only one version has of a keyword at a place. */
export interface Difference {
  readonly removed: readonly Occurrence[];
  readonly added: readonly Occurrence[];
}

/**
 * The occurrences of a keyword that mean something else in the other version. `along` are keywords that change
 * the meaning of it where they stand beside it.
 */
export function differencesOf(
  pair: PlacePair,
  keyword: string,
  along: readonly string[] = [],
): Difference {
  const keyed = (place: Place): [string, Occurrence][] =>
    place.occurrences(keyword).map((each) => [meaningOf(pair, each, along), each]);
  const [olds, news] = [keyed(pair.old), keyed(pair.new)];
  const without = (some: [string, Occurrence][], others: [string, Occurrence][]): Occurrence[] =>
    some.filter(([key]) => !others.some(([other]) => other === key)).map(([, each]) => each);
  return { removed: without(olds, news), added: without(news, olds) };
}

/** The one occurrence of either version, where it was changed in place. */
export function changedInPlace({
  removed,
  added,
}: Difference): readonly [Occurrence, Occurrence] | undefined {
  const [older, newer] = [removed[0], added[0]];
  if (older === undefined || newer === undefined || removed.length + added.length > 2) {
    return undefined;
  }
  return [older, newer];
}

function meaningOf(
  { classes }: PlacePair,
  { location, keyword, value }: Occurrence,
  along: readonly string[],
): string {
  if (isAnnotation(keyword)) return canonicalize(value) ?? "";
  const entries = [keyword, ...along].map((each) => [each, location.schema[each]] as const);
  const schema = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  return classes.of({ ...location, schema });
}

type SourceBreaks = NonNullable<FoundChange["breaksSource"]>;

/** A property that every object has to have now. */
export const MUST_BE_GIVEN: SourceBreaks = {
  typescript: "code that makes such an object has to give it",
  python: "code that makes such an object has to give it",
};

/** A property that is declared no longer. */
export const IS_GONE: SourceBreaks = {
  typescript: "code that names it no longer compiles",
  python: "code that names it fails with an AttributeError",
};
