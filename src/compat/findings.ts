import type { DiffFinding, TextPlace } from "#generated/index.js";
import { locateAllInText } from "../findings/finding.js";
import { isJsonObject } from "../json/value.js";
import { escapeControls, formatNumber } from "../text.js";
import { type Change, RECORD_LENSES } from "./change.js";
import type { Containment } from "./containment.js";
import { contractAt, type FindingIdentity, fingerprintOf } from "./fingerprint.js";
import type { LoadedVersion } from "./load-version.js";
import { toPointer } from "./places/place.js";
import { type Mentioned, SOURCES } from "./rules/rule.js";
import { DIRECTIONS, type Direction, type SchemaLocation } from "./schema/schema-set.js";

const PROOFS: Readonly<Record<Direction, string>> = {
  backward: "is valid before and not after:",
  forward: "is valid after and not before:",
};

/** The two versions that were compared. */
export interface LoadedVersions {
  readonly old: LoadedVersion;
  readonly new: LoadedVersion;
}

/** A change with its position in the texts of both versions. */
export interface PlacedChange {
  readonly change: Change;
  /** The record type and the place in a record, such as `PpoRecord /reward`. */
  readonly subject: string;
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
    const path = toPointer(
      ...change.path,
      ...(change.property === undefined ? [] : [change.property]),
    );
    return {
      change,
      subject: [change.types[0] ?? "", path].filter((part) => part !== "").join(" "),
      path,
      pointerOld: olds[index] ?? "",
      pointerNew: news[index] ?? "",
      placeOld: oldPlaces[index] ?? { file: versions.old.source.name, line: 1, column: 1 },
      placeNew: newPlaces[index] ?? { file: versions.new.source.name, line: 1, column: 1 },
    };
  });
}

/** What a change breaks, or may break, by compatibility mode and direction. */
export function toDiffFindings(placed: PlacedChange, versions: LoadedVersions): DiffFinding[] {
  const { change } = placed;
  // The same for all findings of a change.
  const identity = {
    schema: schemaName(versions),
    rule: change.rule.id,
    pointer: subjectPointer(change),
    contract: contractAt(change),
  };
  const records = RECORD_LENSES.flatMap((lens) =>
    DIRECTIONS.flatMap((direction) => {
      const effect = change.effects[lens][direction];
      if (effect.verdict === "compatible") return [];
      const { verdict } = effect;
      const base = toFinding(placed, identity, { lens, direction, verdict });
      return [{ ...base, ...describeEffect(effect, direction, change.types[0]) }];
    }),
  );
  const sources = SOURCES.flatMap((lens) => {
    const reason = change.breaksSource?.[lens];
    if (reason === undefined) return [];
    const base = toFinding(placed, identity, { lens, direction: "backward", verdict: "breaking" });
    return [{ ...base, detail: escapeControls(`${lens}: ${reason}`) }];
  });
  return [...records, ...sources];
}

type Break = Pick<DiffFinding, "lens" | "direction" | "verdict">;

function toFinding(
  placed: PlacedChange,
  identity: Omit<FindingIdentity, "lens" | "direction">,
  found: Break,
): DiffFinding {
  const { change, subject, pointerOld, pointerNew, placeOld, placeNew } = placed;
  const { rule, message, types } = change;
  const { lens, direction, verdict } = found;
  const isSource = SOURCES.some((source) => source === lens);
  const broken = isSource ? lens : direction;
  const outcome = verdict === "breaking" ? `breaks ${broken}` : `${direction} is undecided`;
  return {
    id: rule.id,
    severity: "error",
    ...placeNew,
    pointer: pointerNew,
    message: escapeControls(`${subject} ${message}: ${outcome} (${rule.name})`.trim()),
    rule: rule.id,
    name: rule.name,
    verdict,
    direction,
    lens,
    types: [...types],
    path: placed.path,
    pointer_old: pointerOld,
    pointer_new: pointerNew,
    place_old: placeOld,
    place_new: placeNew,
    fingerprint: fingerprintOf({ ...identity, direction, lens }),
    fix: rule.fix,
  };
}

function describeEffect(
  effect: Containment,
  direction: Direction,
  type = "",
): Pick<DiffFinding, "detail" | "witness"> {
  if (effect.verdict === "compatible") return {};
  if (effect.verdict === "undecided") return { detail: escapeControls(effect.because) };
  const { witness, byAjv } = effect;
  const record = type === "" ? "this record" : `this ${type}`;
  const reading = byAjv === undefined ? "" : `by Ajv (${byAjv}) `;
  return {
    detail: `${escapeControls(reading)}${record} ${PROOFS[direction]}\n${escapeControls(printWitness(witness))}`,
    witness,
  };
}

/** Longest witness in a text, in characters; the field of the finding has all of it. */
const MAX_PRINTED = 4000;

function printWitness(witness: unknown): string {
  const text = JSON.stringify(witness);
  if (text.length <= MAX_PRINTED) return text;
  return `${text.slice(0, MAX_PRINTED)}... (${formatNumber(text.length)} characters: --format json has all of them)`;
}

/** A pointer into the text of a version; "" if the place is in another file. */
function pointerIn(
  { root }: LoadedVersion,
  mentioned: Mentioned | undefined,
  around: SchemaLocation,
): string {
  const { uri, pointer } = mentioned?.location ?? around;
  if (uri !== root.uri) return "";
  if (mentioned === undefined) return pointer;
  return pointer + toPointer(mentioned.keyword, ...(mentioned.below ?? []));
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

function schemaName({ new: { root } }: LoadedVersions): string {
  const id = isJsonObject(root.schema) ? root.schema.$id : undefined;
  return typeof id === "string" ? id : "";
}
