import { requiredBump, type SchemaChange } from "../../conformance/versions/changes.js";
import { toReleasedFile } from "../../src/schemas/releases.js";
import {
  bumpBetween,
  covers,
  parseVersion,
  printVersion,
  raiseVersion,
} from "../../src/schemas/version.js";
import { listChangedDefinitions } from "./list-changed-definitions.js";
import type { PlannedRelease } from "./requirement.js";

/**
 * The release of a schema that has changed; undefined for one that has not. It has the version of the registry, or
 * where that does not fit the least that would, so that all that is missing can be told at once.
 */
export function toRelease(
  change: SchemaChange,
  approved: ReadonlySet<string>,
): PlannedRelease | undefined {
  const { entry, isChanged, last, present } = change;
  if (!isChanged) return undefined;
  const definitions = listChangedDefinitions(last?.value, present.value);
  const plan = (bump: PlannedRelease["bump"], version: string): PlannedRelease => {
    const file = toReleasedFile(entry.name, parseVersion(version));
    return { change, bump, version, file, definitions };
  };
  if (last === undefined) return plan("first", "1.0.0");
  const required = requiredBump(change, approved);
  const actual = bumpBetween(last.version, parseVersion(entry.version));
  const bump = actual !== undefined && covers(actual, required) ? actual : required;
  return plan(bump, printVersion(raiseVersion(last.version, bump)));
}
