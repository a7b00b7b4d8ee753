import { canonicalHash } from "../schemas/hashes.js";
import { type Change, type Effects, type Lens, RECORD_LENSES, type RecordLens } from "./change.js";
import { type Comparison, Search } from "./containment.js";
import { ComparedEntry } from "./entry-comparison.js";
import { pairEntryPoints, saysMoreThanTypes } from "./entry-points.js";
import { matchPlaces, matchRoots } from "./places/match.js";
import type { Mentioned, Source } from "./rules/rule.js";
import { DIRECTIONS, type Direction, type SchemaLocation } from "./schema-set.js";

export { DIRECTIONS, type Direction } from "./schema-set.js";

export type Verdict = Comparison["verdict"];
export type Verdicts = Readonly<Record<Direction, Verdict>>;

/** What becomes of the records of one type. */
export interface EntryComparison extends Readonly<Record<Direction, Comparison>> {
  /** The type; "" for a schema that is one type itself. */
  readonly name: string;
}

export interface VersionComparison extends Verdicts {
  /** For each meaning of "breaks"; the first is that of the two verdicts above. */
  readonly lenses: Readonly<Record<Lens, Verdicts>>;
  /** The version number that the change asks for (semantic versioning). */
  readonly bump: "none" | "patch" | "minor" | "major";
  readonly entries: readonly EntryComparison[];
  /** What changed, from the outside in, be it harmless or not. */
  readonly changes: readonly Change[];
}

/** Compares two versions of a schema, record type by record type, in both directions. */
export function compareVersions(
  oldRoot: SchemaLocation,
  newRoot: SchemaLocation,
): VersionComparison {
  const documents = { old: oldRoot, new: newRoot };
  const search = new Search();
  const { classes } = search;
  const compared = pairEntryPoints(oldRoot, newRoot, classes).map((pair) => {
    const isMatched = pair.old !== undefined && pair.new !== undefined;
    const places = isMatched ? matchPlaces(matchRoots(pair.old, pair.new, classes)) : [];
    return new ComparedEntry(pair, { documents, places, search });
  });
  const document = compareDocument(documents, compared, search);
  const isJudged = document !== undefined && Object.values(documents).some(saysMoreThanTypes);
  const judged = isJudged ? [document, ...compared] : compared;
  const changes = mergeChanges([
    ...(document?.changes ?? []),
    ...compared.flatMap(({ changes }) => changes),
    ...judged.flatMap((entry) => entry.findUnexplained()),
  ]);
  const lenses = {
    validate: worst(judged, "validate"),
    "declared-writer": worst(judged, "declared-writer"),
    typescript: toSourceVerdicts(changes, "typescript"),
    python: toSourceVerdicts(changes, "python"),
  };
  const isSame = canonicalHash(oldRoot.schema) === canonicalHash(newRoot.schema);
  return {
    ...lenses.validate,
    lenses,
    bump: isSame ? "none" : bumpOf(lenses),
    entries: compared.map((entry) => ({
      name: entry.name,
      backward: entry.compare("validate", "backward"),
      forward: entry.compare("validate", "forward"),
    })),
    changes,
  };
}

/** What changed of a document as such: its name, which record types it has, and what it says of all of them. */
function compareDocument(
  documents: { readonly old: SchemaLocation; readonly new: SchemaLocation },
  compared: readonly ComparedEntry[],
  search: Search,
): ComparedEntry | undefined {
  if (compared.some(({ name }) => name === "")) return undefined;
  const places = [matchRoots(documents.old, documents.new, search.classes)];
  const loners = new Map(
    compared.filter(({ isMatched }) => !isMatched).map((entry) => [entry.name, entry]),
  );
  const pair = { name: "", oldName: "", ...documents };
  return new ComparedEntry(pair, { documents, places, search, loners });
}

function worst(compared: readonly ComparedEntry[], lens: RecordLens): Verdicts {
  const verdict = (direction: Direction): Verdict => {
    const verdicts = compared.map((entry) => entry.compare(lens, direction).verdict);
    if (verdicts.includes("breaking")) return "breaking";
    return verdicts.includes("undecided") ? "undecided" : "compatible";
  };
  return { backward: verdict("backward"), forward: verdict("forward") };
}

/** Code that was written for the old version's types is compiled with the new ones. */
function toSourceVerdicts(changes: readonly Change[], source: Source): Verdicts {
  const isBroken = changes.some(({ breaksSource }) => breaksSource?.[source] !== undefined);
  return { backward: isBroken ? "breaking" : "compatible", forward: "compatible" };
}

/**
 * Major is what breaks data that was written by the schema. What breaks only data that holds what the schema did not
 * declare, such as a property that is now declared, is minor, and so is what breaks only old readers, or only code.
 */
function bumpOf(lenses: VersionComparison["lenses"]): VersionComparison["bump"] {
  if (lenses["declared-writer"].backward !== "compatible") return "major";
  const { validate, typescript, python } = lenses;
  const verdicts = [validate.backward, validate.forward, typescript.backward, python.backward];
  return verdicts.every((verdict) => verdict === "compatible") ? "patch" : "minor";
}

/** The same change, found at several record types that share a definition, as one. */
export function mergeChanges(changes: readonly Change[]): Change[] {
  const merged = new Map<string, Change>();
  for (const change of changes) {
    const key = keyOf(change);
    const known = merged.get(key);
    merged.set(key, known === undefined ? change : merge(known, change));
  }
  return [...merged.values()];
}

function keyOf({ rule, old: older, new: newer, around, property, message }: Change): string {
  const places = [toPlace(older, around.old), toPlace(newer, around.new)];
  return JSON.stringify([rule.id, ...places, property, message]);
}

function toPlace(mentioned: Mentioned | undefined, around: SchemaLocation): unknown {
  const { uri, pointer } = mentioned?.location ?? around;
  return [uri, pointer, mentioned?.keyword, mentioned?.below];
}

/** The one that breaks more stands for both. */
function merge(one: Change, other: Change): Change {
  const [first, second] = severity(other) > severity(one) ? [other, one] : [one, other];
  const pick = (lens: RecordLens): Effects => ({
    backward: worse(first, second, lens, "backward"),
    forward: worse(first, second, lens, "forward"),
  });
  return {
    ...first,
    types: [...new Set([...first.types, ...second.types])],
    effects: { validate: pick("validate"), "declared-writer": pick("declared-writer") },
  };
}

function worse(one: Change, other: Change, lens: RecordLens, direction: Direction): Comparison {
  const [first, second] = [one.effects[lens][direction], other.effects[lens][direction]];
  return rank(second) > rank(first) ? second : first;
}

function severity({ effects }: Change): number {
  const ranks = RECORD_LENSES.flatMap((lens) =>
    DIRECTIONS.map((direction) => rank(effects[lens][direction])),
  );
  return Math.max(...ranks);
}

function rank({ verdict }: Comparison): number {
  return ["compatible", "undecided", "breaking"].indexOf(verdict);
}
