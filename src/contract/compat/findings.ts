import type { DiffFinding, TextPlace } from "#generated/index.js";
import { locateAllInText } from "../../base/findings/finding.js";
import { isJsonObject } from "../../base/json/value.js";
import { escapeControls, formatNumber } from "../../base/text.js";
import { type Change, type Effect, isSource, RECORD_LENSES } from "./change.js";
import type { EntryPair } from "./entry-points.js";
import { contractAt, fingerprintOf } from "./fingerprint.js";
import type { LoadedVersion } from "./load-version.js";
import { toPointer } from "./places/place.js";
import { type Mentioned, SOURCES } from "./rules/rule.js";
import { toOriginalPointer } from "./schema/dialects.js";
import { DIRECTIONS, type Direction, type SchemaLocation } from "./schema/schema-set.js";

const SIDES = {
  backward: { writer: "before", reader: "after" },
  forward: { writer: "after", reader: "before" },
} as const;

/** The two versions that were compared. */
export interface LoadedVersions {
  readonly old: LoadedVersion;
  readonly new: LoadedVersion;
}

/** A change with its position in the texts of both versions. */
export interface PlacedChange {
  readonly change: Change;
  /** The record type and the place in a record, such as `PpoRecord /reward`; "the document" if both are empty. */
  readonly subject: string;
  /** Where the change is, if that is in another file: its name and a JSON Pointer. */
  readonly elsewhere: string | undefined;
  readonly path: string;
  readonly pointerOld: string;
  readonly pointerNew: string;
  readonly placeOld: TextPlace;
  readonly placeNew: TextPlace;
}

/** Locates changes in the texts. */
export function placeChanges(changes: readonly Change[], versions: LoadedVersions): PlacedChange[] {
  const pointersOf = (side: "old" | "new"): string[] =>
    changes.map((change) => pointerIn(versions[side], change[side], change.around[side]));
  const [olds, news] = [pointersOf("old"), pointersOf("new")];
  const [oldPlaces, newPlaces] = [toPlaces(versions.old, olds), toPlaces(versions.new, news)];
  return changes.map((change, index) => {
    const path = pathOf(change, change.path);
    return {
      change,
      subject: toSubject(change.types[0], path),
      elsewhere: describeElsewhere(change, versions),
      path,
      pointerOld: olds[index] ?? "",
      pointerNew: news[index] ?? "",
      placeOld: oldPlaces[index] ?? { file: versions.old.source.name, line: 1, column: 1 },
      placeNew: newPlaces[index] ?? { file: versions.new.source.name, line: 1, column: 1 },
    };
  });
}

function pathOf({ property }: Change, path: readonly string[]): string {
  return toPointer(...path, ...(property === undefined ? [] : [property]));
}

function toSubject(type = "", path = ""): string {
  return [type, path].filter((part) => part !== "").join(" ") || "the document";
}

function describeElsewhere(change: Change, versions: LoadedVersions): string | undefined {
  for (const side of ["new", "old"] as const) {
    const location = change[side]?.location;
    if (location === undefined) continue;
    const isOwn = location.uri === versions[side].document.uri;
    return isOwn ? undefined : location.set.describe(location);
  }
  return undefined;
}

/** One way in which a change breaks something, or may break it. */
export type Break = Pick<DiffFinding, "lens" | "direction" | "verdict">;

/** What a change breaks, or may break, by compatibility mode and direction. */
export function findBreaks({ effects, breaksSource }: Change): Break[] {
  const records = RECORD_LENSES.flatMap((lens) =>
    DIRECTIONS.flatMap((direction) => {
      const { verdict } = effects[lens][direction];
      return verdict === "compatible" ? [] : [{ lens, direction, verdict }];
    }),
  );
  const sources = SOURCES.filter((lens) => breaksSource?.[lens] !== undefined).map((lens) => ({
    lens,
    direction: "backward" as const,
    verdict: "breaking" as const,
  }));
  return [...records, ...sources];
}

/** What a change breaks by itself only, so that the schema as a whole is compatible. */
export function findNotes({ byItself }: Change): Break[] {
  return RECORD_LENSES.flatMap((lens) =>
    DIRECTIONS.flatMap((direction) =>
      byItself === undefined || byItself[lens][direction].verdict === "compatible"
        ? []
        : [{ lens, direction, verdict: "compatible" as const }],
    ),
  );
}

/** Describes everything that a change breaks. */
export function toDiffFindings(placed: PlacedChange, versions: LoadedVersions): DiffFinding[] {
  return findBreaks(placed.change).map((found) => toDiffFinding(placed, found, versions));
}

/** Describes one break of a change. */
export function toDiffFinding(
  placed: PlacedChange,
  found: Break,
  versions: LoadedVersions,
): DiffFinding {
  const { change, elsewhere, pointerOld, pointerNew, placeOld, placeNew } = placed;
  const { rule, message } = change;
  const { lens, direction, verdict } = found;
  const effects = verdict === "compatible" && change.byItself ? change.byItself : change.effects;
  const effect = isSource(lens) ? undefined : effects[lens][direction];
  const { subject, types, path } = locateIn(placed, effect?.at);
  const broken = isSource(lens) ? lens : direction;
  const outcome = {
    breaking: `breaks ${broken}`,
    compatible: `${direction}, by itself`,
    undecided: `${direction} is undecided`,
  }[verdict];
  return {
    id: rule.id,
    severity: "error",
    ...placeNew,
    pointer: pointerNew,
    message: escapeControls(
      `${subject} ${message}${elsewhere === undefined ? "" : `, in ${elsewhere}`}: ${outcome} (${rule.name})`,
    ),
    rule: rule.id,
    name: rule.name,
    verdict,
    direction,
    lens,
    types: [...types],
    path,
    pointer_old: pointerOld,
    pointer_new: pointerNew,
    place_old: placeOld,
    place_new: placeNew,
    fingerprint: fingerprintOf({
      schema: schemaName(versions),
      rule: rule.id,
      pointer: subjectPointer(change),
      contract: contractAt(change),
      direction,
      lens,
    }),
    fix: rule.fix,
    ...(isSource(lens)
      ? { detail: escapeControls(`${lens}: ${change.breaksSource?.[lens]}`) }
      : describeEffect(effects[lens][direction], direction, versions)),
  };
}

/** The types that a finding is about, that of its witness first, and the place in its records. */
function locateIn(
  { change, subject, path }: PlacedChange,
  at: Effect["at"],
): { subject: string; types: readonly string[]; path: string } {
  if (at === undefined) return { subject, types: change.types, path };
  const { name } = at.type;
  // The verdict on a whole type, of which the change only says that it was added or removed.
  if (!change.types.includes(name)) return { subject, types: [name], path: "" };
  const own = pathOf(change, at.path);
  const types = [...new Set([name, ...change.types])];
  return { subject: toSubject(name, own), types, path: own };
}

function describeEffect(
  effect: Effect,
  direction: Direction,
  versions: LoadedVersions,
): Pick<DiffFinding, "detail" | "witness"> {
  if (effect.verdict === "compatible") return {};
  if (effect.verdict === "undecided") return { detail: escapeControls(effect.because) };
  const { witness, at } = effect;
  const claim = `${describeProof(at?.type, direction, versions)}:`;
  return { detail: [claim, printWitness(witness)].map(escapeControls).join("\n"), witness };
}

/** What a witness proves, in words that are true of the types that they name. */
function describeProof(
  type: EntryPair | undefined,
  direction: Direction,
  versions: LoadedVersions,
): string {
  const { writer, reader } = SIDES[direction];
  const nameIn = (side: "old" | "new"): string => {
    const { pointer, uri } = type?.[side] ?? {};
    // A document that is one type has no name, whatever the other version calls it.
    if (pointer === "" && uri === versions[side].document.uri) return "";
    return (side === "old" ? type?.oldName : type?.name) ?? "";
  };
  const names = [nameIn("old"), nameIn("new")] as const;
  const [written, read] = direction === "backward" ? names : names.toReversed();
  const isMissing = (direction === "backward" ? type?.new : type?.old) === undefined;
  const record = written === "" ? "this record" : `this ${written}`;
  if (type === undefined || !isMissing) {
    const as = written === read ? "" : `, as ${read || "the document"}`;
    return `${record} is valid ${writer} and not ${reader}${as}`;
  }
  const rejected = type.instead.schema === false ? "" : ", and the document rejects it";
  return `${record} is valid ${writer}; ${reader}, there is no such type${rejected}`;
}

/** Longest witness in a text, in characters; the field of the finding has all of it. */
const MAX_PRINTED = 4000;

/** A witness as JSON, cut if it is long. */
export function printWitness(witness: unknown): string {
  const text = JSON.stringify(witness);
  if (text.length <= MAX_PRINTED) return text;
  return `${text.slice(0, MAX_PRINTED)}... (${formatNumber(text.length)} characters: --format json has all of them)`;
}

/** A pointer into the text of a version; "" if the place is in another file. */
function pointerIn(
  { document }: LoadedVersion,
  mentioned: Mentioned | undefined,
  around: SchemaLocation,
): string {
  const { uri, pointer } = mentioned?.location ?? around;
  if (uri !== document.uri) return "";
  const below = mentioned && toPointer(mentioned.keyword, ...(mentioned.below ?? []));
  return toOriginalPointer(document.schema, pointer + (below ?? ""));
}

function toPlaces({ source }: LoadedVersion, pointers: readonly string[]): TextPlace[] {
  return locateAllInText(source.text, pointers).map(({ line, column }) => ({
    file: source.name,
    line,
    column,
  }));
}

/** The pointer for the fingerprint: independent of the order of lists, because names replace indices. */
function subjectPointer({ old: older, new: newer, around, property }: Change): string {
  const mentioned = newer ?? older;
  if (mentioned === undefined)
    return around.new.pointer + toPointer(...(property ? [property] : []));
  const below = property === undefined ? (mentioned.below ?? []) : [property];
  return mentioned.location.pointer + toPointer(mentioned.keyword, ...below);
}

function schemaName({ new: { document } }: LoadedVersions): string {
  const id = isJsonObject(document.schema) ? document.schema.$id : undefined;
  return typeof id === "string" ? id : "";
}
