import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toReadError } from "../../src/base/files/source.js";
import {
  nameChanges,
  printChangelogEntry,
  printFirstEntry,
  startOfEntry,
} from "../../src/contract/compat/changelog-entry.js";
import { printVersion } from "../../src/contract/schemas/version.js";
import { listEntryTypes, type PlannedRelease } from "./requirement.js";

export const CHANGELOG = "CHANGELOG.md";

/** An item of the changelog. */
export interface ChangelogItem {
  /** 1-based. */
  readonly line: number;
  /** Including its further lines. */
  readonly text: string;
}

/** Reads the changelog of the repository at `root`. Throws UserError (exit 3) if that is impossible. */
export function readChangelog(root: string): string {
  try {
    return readFileSync(join(root, CHANGELOG), "utf8");
  } catch (cause) {
    throw toReadError(CHANGELOG, cause);
  }
}

/** The names that the entry of a release must contain: all changes, or the record types of a new schema. */
export function listNames({ bump, change }: PlannedRelease): readonly string[] {
  const { last, present, comparison } = change;
  if (bump === "first" || last === undefined || comparison === undefined) {
    return listEntryTypes(present);
  }
  return nameChanges({ old: last, new: present }, comparison);
}

/** The entry that follows from a release: the same text as `diff --format changelog` prints. */
export function printEntry(release: PlannedRelease): string {
  const { comparison } = release.change;
  const names = listNames(release);
  return comparison === undefined
    ? printFirstEntry(toSubject(release), names)
    : printChangelogEntry(toSubject(release), names, comparison);
}

function toSubject({ change: { entry, last }, version }: PlannedRelease) {
  return { name: entry.name, from: last && printVersion(last.version), to: version };
}

/** The entry of a release in the changelog; undefined if there is none. */
export function findEntry(changelog: string, release: PlannedRelease): ChangelogItem | undefined {
  const start = startOfEntry(toSubject(release), release.bump);
  const lines = changelog.split("\n");
  const first = lines.findIndex((line) => line.startsWith(start));
  if (first < 0) return undefined;
  return { line: first + 1, text: lines.slice(first, endOfItem(lines, first)).join("\n") };
}

/** The index of the line after an item. */
function endOfItem(lines: readonly string[], first: number): number {
  const length = lines.slice(first + 1).findIndex((line) => !line.startsWith("  "));
  return length < 0 ? lines.length : first + 1 + length;
}

/** A section of what no release of the package holds yet. */
const UNRELEASED = /^## .*\(unreleased\)/;

/** An item about a version of a schema. */
const SCHEMA_ITEM = /^- `[a-z0-9-]+(\/v\d+`|` \d+\.\d+\.\d+):/;

/** The line of the unreleased section, 0-based; -1 if there is none. */
export function findUnreleased(changelog: string): number {
  return changelog.split("\n").findIndex((line) => UNRELEASED.test(line));
}

/**
 * The text of the section of a released version, without its heading. Undefined if there is none, if it is empty, or
 * while it is marked as unreleased.
 */
export function readSection(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => /^\S+/.exec(text)?.[0] === version);
  const [heading = "", ...lines] = section?.split("\n") ?? [];
  const text = lines.join("\n").trim();
  return text === "" || UNRELEASED.test(`## ${heading}`) ? undefined : `${text}\n`;
}

/**
 * Adds the missing entries of releases to the unreleased section, after its last entry of a schema, or else at its top
 * under a heading of their own. The text stays as it is if none is missing, or if there is no such section.
 */
export function addEntries(changelog: string, releases: readonly PlannedRelease[]): string {
  const missing = releases.filter((release) => findEntry(changelog, release) === undefined);
  const start = findUnreleased(changelog);
  if (missing.length === 0 || start < 0) return changelog;
  const lines = changelog.split("\n");
  const next = lines.findIndex((line, index) => index > start && line.startsWith("## "));
  const end = next < 0 ? lines.length : next;
  const last = lines.findLastIndex(
    (line, index) => index > start && index < end && SCHEMA_ITEM.test(line),
  );
  const items = missing.flatMap((release) => printEntry(release).trimEnd().split("\n"));
  if (last >= 0) lines.splice(endOfItem(lines, last), 0, ...items);
  else lines.splice(start + 1, 0, "", "### Schemas", "", ...items);
  return lines.join("\n");
}
