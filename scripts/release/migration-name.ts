import { parseVersion } from "../../src/schemas/version.js";
import type { PlannedRelease } from "./requirement.js";

/** Whether old data may be invalid under what is released: it has a new major version. */
export function isBreaking({ bump }: PlannedRelease): boolean {
  return bump === "major";
}

/** What the page and the program of a migration are called: `rollout-wire-v2`. */
export function toMigrationName({ change, version }: PlannedRelease): string {
  return `${change.entry.name}-v${parseVersion(version).major}`;
}
