import type { RegistryEntry } from "../../src/schemas/registry.js";
import type { Release } from "../../src/schemas/releases.js";
import { type Bump, bumpBetween, covers, parseVersion } from "../../src/schemas/version.js";
import type { Break } from "../compat/breaks-of.js";
import type { SchemaVersion } from "./schema-version.js";

/** A published version. */
export interface ReleasedVersion extends SchemaVersion, Pick<Release, "version"> {}

/** What has become of a schema since it was last published. */
export interface SchemaChange {
  readonly entry: RegistryEntry;
  /** Index of its entry in the registry. */
  readonly index: number;
  readonly present: SchemaVersion;
  /** The newest published version; undefined for a schema that never was. */
  readonly last: ReleasedVersion | undefined;
  /** Whether its bytes are not those of the last version. */
  readonly isChanged: boolean;
  /** What it breaks, and what nobody could say. */
  readonly breaks: readonly Break[];
}

/**
 * The bump that a break calls for. Major is what breaks data that was written by the schema. What breaks only data
 * that holds what the schema did not declare, such as a property that is now declared otherwise, is minor, and so
 * is what breaks only old readers, or only code that uses the generated types.
 */
export function bumpFor({ direction, lens }: Break): Bump {
  return direction === "backward" && lens === "declared-writer" ? "major" : "minor";
}

/** Whether the version was raised by what a break calls for. */
export function isCovered({ last, entry }: SchemaChange, found: Break): boolean {
  const raised = last && bumpBetween(last.version, parseVersion(entry.version));
  return raised !== undefined && covers(raised, bumpFor(found));
}

/** The bump that a change calls for, when the breaks with the `approved` fingerprints are meant. */
export function requiredBump(
  { isChanged, breaks }: SchemaChange,
  approved: ReadonlySet<string>,
): Bump {
  const bumps = breaks.filter(({ fingerprint }) => !approved.has(fingerprint)).map(bumpFor);
  if (bumps.includes("major")) return "major";
  if (bumps.includes("minor")) return "minor";
  return isChanged ? "patch" : "none";
}
