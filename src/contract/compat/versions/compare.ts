import type { DiffFinding, FormatUse } from "#generated/index.js";
import { type FindingLimits, FindingList } from "../../../base/findings/finding-list.js";
import type { Report } from "../../../base/findings/report.js";
import { UserError } from "../../../base/user-error.js";
import { commonUse } from "../../schemas/format-use.js";
import { readReleasedFile } from "../../schemas/releases.js";
import { RECORD_LENSES } from "../change.js";
import { compareVersions, type VersionComparison } from "../compare-versions.js";
import {
  type Break,
  findBreaks,
  findNotes,
  type LoadedVersions,
  type PlacedChange,
  placeChanges,
  toDiffFinding,
} from "../findings.js";
import { type LoadedVersion, loadVersion, type SchemaSource } from "../load-version.js";
import { listReferredBack } from "../refer-back.js";
import { DIRECTIONS } from "../schema/schema-set.js";
import { type Choice, isChosen } from "./choice.js";
import type { SchemaPair } from "./range.js";

/** A change with what it breaks, and the findings that are listed. */
export interface ShownChange extends PlacedChange {
  readonly breaks: readonly Break[];
  readonly listed: readonly DiffFinding[];
}

/** Two versions of a schema and the changes between them. */
export interface ComparedSchema {
  readonly status: SchemaPair["status"];
  readonly through: SchemaPair["through"];
  readonly renamedFrom: SchemaPair["renamedFrom"];
  readonly versions: LoadedVersions;
  /** Its bump is that of the file: a new schema asks for a minor version, one that is gone for a major one. */
  readonly comparison: VersionComparison;
  readonly shown: readonly ShownChange[];
  readonly report: Report;
  readonly conditions: Conditions;
  /** Parts of either version that its dialect does not allow: they count as equal where their text is equal. */
  readonly faults: readonly string[];
}

/** What verdicts rest on that nobody has here: what is compatible is so under these conditions. */
export interface Conditions {
  /** Addresses of schemas that did not change. */
  readonly unchanged: readonly string[];
  /** What changed here, and they do not refer back to: see `listReferredBack`. */
  readonly notReferredTo: readonly string[];
}

/** A schema of a range of which one version cannot be read, or a reference in it cannot be resolved. */
export interface UncomparedSchema extends Pick<SchemaPair, "status" | "through"> {
  /** Its file. */
  readonly name: string;
  /** Why, in a line. */
  readonly message: string;
}

/** The schemas of a range of commits. */
export interface ComparedRange {
  readonly compared: readonly ComparedSchema[];
  readonly uncompared: readonly UncomparedSchema[];
  /** Those of all schemas, once each: of schemas that did not change, too. */
  readonly conditions: Conditions;
}

export interface CompareOptions {
  readonly choice: Choice;
  /** Default: asserted if it is in one of the versions. */
  readonly formats: FormatUse | undefined;
  readonly limits: FindingLimits;
  /** Whether breaks that the user did not choose are findings too, as warnings. */
  readonly listsNotes: boolean;
}

/** Compares all schemas of a range that can be compared. A schema that nothing of what changed concerns is left out. */
export function compareRange(pairs: readonly SchemaPair[], options: CompareOptions): ComparedRange {
  const compared: ComparedSchema[] = [];
  const uncompared: UncomparedSchema[] = [];
  const conditions: Conditions[] = [];
  for (const pair of pairs) {
    if (pair.isUnchanged === true) {
      conditions.push(findConditionsOf(pair));
      continue;
    }
    try {
      const found = compareSchemas(pair, options);
      conditions.push(found.conditions);
      if (pair.through === undefined || found.comparison.bump !== "none") compared.push(found);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const { name, status, through } = pair;
      uncompared.push({ name, status, through, message: error.message });
    }
  }
  return { compared, uncompared, conditions: mergeConditions(conditions) };
}

/** The conditions of several comparisons, once each. */
export function mergeConditions(all: readonly Conditions[]): Conditions {
  const merge = (key: keyof Conditions) => [...new Set(all.flatMap((each) => each[key]))];
  return { unchanged: merge("unchanged"), notReferredTo: merge("notReferredTo") };
}

/** Those of a schema that did not change. One that cannot be read could not be read before, either. */
function findConditionsOf({ read }: SchemaPair): Conditions {
  try {
    const { before, after } = read();
    return findConditions({ old: loadVersion(before), new: loadVersion(after) });
  } catch (error) {
    if (error instanceof UserError) return mergeConditions([]);
    throw error;
  }
}

/** Compares two versions of a schema. Throws UserError (exit 3) if either cannot be loaded. */
export function compareSchemas(
  { status, through, renamedFrom, read }: SchemaPair,
  { choice, formats, limits, listsNotes }: CompareOptions,
): ComparedSchema {
  const { before, after } = read();
  const format = formats ?? commonUse(before.formats, after.formats);
  const load = (source: SchemaSource) => loadVersion(source, format, { toleratesFaults: true });
  const versions = { old: load(before), new: load(after) };
  const faults = findFaults(versions);
  const changed = compareVersions(versions.old.root, versions.new.root);
  const comparison = { ...changed, bump: bumpOf(status, after.name) ?? changed.bump };
  const list = new FindingList(limits);
  const add = (placed: PlacedChange, found: Break): DiffFinding[] => {
    const isListed = listsNotes || isChosen(found, choice);
    if (!isListed) return [];
    const isError = isChosen(found, choice) && found.verdict !== "compatible";
    const severity = isError ? "error" : "warning";
    const { id } = placed.change.rule;
    const listed = list.addIfListed({ id, severity }, () => toDiffFinding(placed, found, versions));
    return listed === undefined ? [] : [listed];
  };
  const all = placeChanges(comparison.changes, versions).map((placed) => {
    const breaks = [...findBreaks(placed.change), ...findNotes(placed.change)];
    return { ...placed, breaks, listed: breaks.flatMap((found) => add(placed, found)) };
  });
  // That everything in it is gone goes without saying.
  const shown = status === "removed" ? all.filter(({ listed }) => listed.length > 0) : all;
  const checked = 2 * (comparison.entries.length + comparison.comparedAlone.length);
  const report = { ...list.toReport("diff"), checked, thing: "comparison" };
  const conditions = isAnyCompatible(comparison) ? findConditions(versions) : mergeConditions([]);
  const told = { status, through, renamedFrom, versions };
  return { ...told, comparison, shown, report, conditions, faults };
}

/** The faults of the new version, and those that only the old one has. */
function findFaults({ old: older, new: newer }: LoadedVersions): string[] {
  const placeOf = (fault: string, { source }: LoadedVersion): string =>
    fault.slice(source.name.length);
  const known = new Set(newer.faults.map((fault) => placeOf(fault, newer)));
  return [...newer.faults, ...older.faults.filter((fault) => !known.has(placeOf(fault, older)))];
}

/** What both versions depend on and nobody has here. */
function findConditions(versions: LoadedVersions): Conditions {
  const olds = versions.old.holes.map(({ text }) => text);
  const news = versions.new.holes.map(({ text }) => text);
  const unchanged = [...new Set(news)].filter((text) => olds.includes(text));
  return { unchanged, notReferredTo: unchanged.length === 0 ? [] : listReferredBack(versions) };
}

/** A break needs no condition: it has a record as its proof. */
function isAnyCompatible({ lenses }: VersionComparison): boolean {
  return RECORD_LENSES.some((lens) =>
    DIRECTIONS.some((direction) => lenses[lens][direction] === "compatible"),
  );
}

/** The bump of a schema that only one version has. The frozen copy of a version is no schema of its own. */
function bumpOf(status: SchemaPair["status"], file: string): VersionComparison["bump"] | undefined {
  if (status === "removed") return "major";
  if (status !== "added") return undefined;
  return readReleasedFile(file) === undefined ? "minor" : "none";
}
