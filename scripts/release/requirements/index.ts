import type { Requirement } from "../requirement.js";
import { changelogEntry } from "./changelog-entry.js";
import { fixturesShowChange } from "./fixtures-show-change.js";
import { migrationHolds, migrationNote } from "./migration.js";
import { typesCompile } from "./types-compile.js";

/** The preconditions of a release besides a sufficient version, in the order of the report. */
export const requirements: readonly Requirement[] = [
  changelogEntry,
  fixturesShowChange,
  migrationNote,
  migrationHolds,
  typesCompile,
];
