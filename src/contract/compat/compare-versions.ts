import { HiddenChanges } from "./by-itself.js";
import {
  type Change,
  type Effect,
  type Effects,
  type Lens,
  RECORD_LENSES,
  type RecordLens,
} from "./change.js";
import { type Containment, ContainmentContext } from "./containment.js";
import {
  EntryComparison,
  type EntryComparisonOptions,
  type Findings,
  findAt,
} from "./entry-comparison.js";
import { constrainsAllTypes, type EntryPair, kindOf, pairEntryPoints } from "./entry-points.js";
import { PlaceGraph } from "./places/match.js";
import type { Mentioned, Source } from "./rules/rule.js";
import { isSameThroughout } from "./same-throughout.js";
import { DIRECTIONS, type Direction, type SchemaLocation } from "./schema/schema-set.js";

export { DIRECTIONS, type Direction } from "./schema/schema-set.js";

export type Verdict = Containment["verdict"];
export type Verdicts = Readonly<Record<Direction, Verdict>>;

/** The verdicts on the records of one type, by the lens `validate`. */
export interface EntryVerdicts extends Readonly<Record<Direction, Containment>> {
  /** The type; its name is "" if the schema itself is one type. */
  readonly pair: EntryPair;
}

export interface VersionComparison extends Verdicts {
  /** By compatibility mode; `validate` gives the two verdicts above. */
  readonly lenses: Readonly<Record<Lens, Verdicts>>;
  /** The version bump that semantic versioning requires. */
  readonly bump: "none" | "patch" | "minor" | "major";
  readonly entries: readonly EntryVerdicts[];
  /** Those on which the verdicts depend: the types, and the documents if they constrain more than their types do. */
  readonly decisive: readonly EntryVerdicts[];
  /** Types that were compared besides, because no verdict shows them: see `HiddenChanges`. */
  readonly comparedAlone: readonly EntryPair[];
  /** All changes, harmless or not, from the outside in. */
  readonly changes: readonly Change[];
}

/** Compares two versions of a schema, record type by record type, in both directions. */
export function compareVersions(
  oldRoot: SchemaLocation,
  newRoot: SchemaLocation,
): VersionComparison {
  const context = new ContainmentContext();
  const { classes } = context;
  const pairs = pairEntryPoints(oldRoot, newRoot, classes);
  const graph = new PlaceGraph(classes, (pair) => findAt(pair, context));
  const loners = new Map(
    pairs
      .filter(({ old, new: now }) => old === undefined || now === undefined)
      .map((pair) => [pair.name, new EntryComparison(pair, { places: [], context })]),
  );
  const compared = pairs
    .map((pair) => {
      const { name, old, new: now } = pair;
      if (old === undefined || now === undefined) return loners.get(name);
      const places = graph.walk(graph.rootOf(old, now), pairs.length);
      return new EntryComparison(pair, { places, context });
    })
    .filter((entry) => entry !== undefined);
  const document = compareDocuments(oldRoot, newRoot, { graph, context, loners });
  const decisive = document?.isDecisive === true ? [document.comparison, ...compared] : compared;
  const found = [
    ...(document?.comparison.changes ?? []),
    ...compared.flatMap(({ changes }) => changes),
  ];
  const told = new Set(document?.comparison.changes.flatMap(({ member }) => member ?? []));
  const unexplained = decisive
    .filter(({ name, isMatched }) => isMatched || !told.has(name))
    .flatMap((entry) => entry.findUnexplained());
  const hidden = new HiddenChanges(compared, context);
  const empty = decisive.flatMap((entry) => entry.findEmpty());
  const shown = mergeChanges([...empty, ...found, ...unexplained]);
  const lenses = {
    validate: worst(decisive, "validate"),
    "declared-writer": worst(decisive, "declared-writer"),
    typescript: toSourceVerdicts(shown, "typescript"),
    python: toSourceVerdicts(shown, "python"),
  };
  const covered = mergeChanges(hidden.findCovered());
  const bump = bumpOf(lenses, [...shown, ...covered]);
  const changes = [...shown, ...covered, ...hidden.findUnused(oldRoot, newRoot)];
  const isSame = bump === "patch" && changes.length === 0 && isSameThroughout(oldRoot, newRoot);
  return {
    ...lenses.validate,
    lenses,
    bump: isSame ? "none" : bump,
    entries: compared.map(toVerdicts),
    decisive: decisive.map(toVerdicts),
    comparedAlone: hidden.compared,
    changes,
  };
}

function toVerdicts(entry: EntryComparison): EntryVerdicts {
  return {
    pair: entry.pair,
    backward: entry.compare("validate", "backward"),
    forward: entry.compare("validate", "forward"),
  };
}

interface DocumentComparison {
  readonly comparison: EntryComparison;
  /** Whether its verdict counts, besides those of the types. */
  readonly isDecisive: boolean;
}

/**
 * Compares the documents themselves: name, record types, and constraints on all of them. Undefined if both are one type,
 * which is compared anyway.
 */
function compareDocuments(
  older: SchemaLocation,
  newer: SchemaLocation,
  {
    graph,
    ...options
  }: Pick<EntryComparisonOptions, "context" | "loners"> & { graph: PlaceGraph<Findings> },
): DocumentComparison | undefined {
  const kinds = [older, newer].map(kindOf);
  const [one, other] = kinds;
  if (one === "type" && other === "type") return undefined;
  const pair = { name: "", oldName: "", old: older, new: newer, instead: newer };
  // Documents of different kinds have no places in common.
  const places = one === other ? graph.at(graph.rootOf(older, newer)) : [];
  return {
    comparison: new EntryComparison(pair, { places, ...options }),
    isDecisive: !kinds.includes("collection") && [older, newer].some(constrainsAllTypes),
  };
}

function worst(compared: readonly EntryComparison[], lens: RecordLens): Verdicts {
  const verdict = (direction: Direction): Verdict =>
    worstOf(compared.map((entry) => entry.compare(lens, direction).verdict));
  return { backward: verdict("backward"), forward: verdict("forward") };
}

export function worstOf(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes("breaking")) return "breaking";
  return verdicts.includes("undecided") ? "undecided" : "compatible";
}

/** Source code breaks in one direction only: it was written for the old types and is compiled with the new ones. */
function toSourceVerdicts(changes: readonly Change[], source: Source): Verdicts {
  const isBroken = changes.some(({ breaksSource }) => breaksSource?.[source] !== undefined);
  return { backward: isBroken ? "breaking" : "compatible", forward: "compatible" };
}

/**
 * Major: breaks data that was written by the schema, or removes a required property. Minor: breaks only data with
 * undeclared properties, only old readers, or only code. What a union hides counts as if nothing hid it.
 */
function bumpOf(
  lenses: VersionComparison["lenses"],
  changes: readonly Change[],
): VersionComparison["bump"] {
  const hidden = changes.flatMap(({ byItself }) => byItself ?? []);
  const isWritten = hidden.some(
    (each) => each["declared-writer"].backward.verdict !== "compatible",
  );
  if (lenses["declared-writer"].backward !== "compatible" || isWritten) return "major";
  if (changes.some(({ isMajor }) => isMajor === true)) return "major";
  const { validate, typescript, python } = lenses;
  const verdicts = [validate.backward, validate.forward, typescript.backward, python.backward];
  const isPatch = hidden.length === 0 && verdicts.every((verdict) => verdict === "compatible");
  return isPatch ? "patch" : "minor";
}

/** Merges a change that was found at several record types, which share a definition. */
function mergeChanges(changes: readonly Change[]): Change[] {
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

/** Keeps the change that breaks more. */
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

function worse(one: Change, other: Change, lens: RecordLens, direction: Direction): Effect {
  const [first, second] = [one.effects[lens][direction], other.effects[lens][direction]];
  return rank(second) > rank(first) ? second : first;
}

function severity({ effects }: Change): number {
  const ranks = RECORD_LENSES.flatMap((lens) =>
    DIRECTIONS.map((direction) => rank(effects[lens][direction])),
  );
  return Math.max(...ranks);
}

function rank({ verdict }: Containment): number {
  return ["compatible", "undecided", "breaking"].indexOf(verdict);
}
