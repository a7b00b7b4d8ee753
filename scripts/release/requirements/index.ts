import type { Requirement } from "../requirement.js";
import { changelogEntry } from "./changelog-entry.js";
import { fixturesShowChange } from "./fixtures-show-change.js";
import { migrationHolds, migrationNote } from "./migration.js";
import { typesCompile } from "./types-compile.js";

/** What a release must come with, beside a version that fits; in the order in which it is reported. */
export const requirements: readonly Requirement[] = [
  changelogEntry,
  fixturesShowChange,
  migrationNote,
  migrationHolds,
  typesCompile,
];
