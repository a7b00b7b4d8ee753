import type { DiffFinding } from "#generated/index.js";
import { type FindingLimits, FindingList } from "../../../base/findings/finding-list.js";
import type { Report } from "../../../base/findings/report.js";
import { packageRoot } from "../../../base/package.js";
import { readRegistry } from "../../schemas/registry.js";
import { listIds } from "../../schemas/schema-id.js";
import { compareVersions, type VersionComparison } from "../compare-versions.js";
import {
  type Break,
  findBreaks,
  type LoadedVersions,
  type PlacedChange,
  placeChanges,
  toDiffFinding,
} from "../findings.js";
import { loadVersion } from "../load-version.js";
import type { FormatMode } from "../schema/schema-set.js";
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
  readonly versions: LoadedVersions;
  readonly comparison: VersionComparison;
  readonly shown: readonly ShownChange[];
  readonly report: Report;
}

export interface CompareOptions {
  readonly choice: Choice;
  /** Default: as validators of these schemas treat `format`. */
  readonly formats: FormatMode | undefined;
  readonly limits: FindingLimits;
  /** Whether breaks that the user did not choose are findings too, as warnings. */
  readonly listsNotes: boolean;
}

/** Compares two versions of a schema. Throws UserError (exit 3) if either cannot be loaded. */
export function compareSchemas(
  { status, before, after }: SchemaPair,
  { choice, formats, limits, listsNotes }: CompareOptions,
): ComparedSchema {
  const format = formats ?? chooseFormats([before.text, after.text]);
  const versions = { old: loadVersion(before, format), new: loadVersion(after, format) };
  const changed = compareVersions(versions.old.root, versions.new.root);
  const comparison: VersionComparison =
    status === "added" ? { ...changed, bump: "minor" } : changed;
  const list = new FindingList(limits);
  const add = (placed: PlacedChange, found: Break): DiffFinding[] => {
    const severity = isChosen(found, choice) ? "error" : "warning";
    if (severity === "warning" && !listsNotes) return [];
    const { id } = placed.change.rule;
    const listed = list.addIfListed({ id, severity }, () => toDiffFinding(placed, found, versions));
    return listed === undefined ? [] : [listed];
  };
  const all = placeChanges(comparison.changes, versions).map((placed) => {
    const breaks = findBreaks(placed.change);
    return { ...placed, breaks, listed: breaks.flatMap((found) => add(placed, found)) };
  });
  // That everything in it is gone goes without saying.
  const shown = status === "removed" ? all.filter(({ listed }) => listed.length > 0) : all;
  const checked = 2 * comparison.entries.length;
  const report = { ...list.toReport("diff"), checked, thing: "comparison" };
  return { status, versions, comparison, shown, report };
}

/**
 * How validators treat `format`: as an assertion for the schemas of this package, whose generated validators
 * check it, otherwise as an annotation, as draft 2020-12 specifies.
 */
export function chooseFormats(texts: readonly string[]): FormatMode {
  const ids = readRegistry(packageRoot()).schemas.flatMap(listIds);
  return texts.some((text) => ids.some((id) => text.includes(`"${id}"`))) ? "assert" : "annotate";
}
