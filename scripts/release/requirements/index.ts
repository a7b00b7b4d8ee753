import type { Requirement } from "../requirement.js";
import { changelogEntry } from "./changelog-entry.js";
import { fixturesShowChange } from "./fixtures-show-change.js";
import { migrationNote } from "./migration-note.js";
import { typesCompile } from "./types-compile.js";
import { upcasterHolds } from "./upcaster-holds.js";

/** The preconditions of a release besides a sufficient version, in the order of the report. */
export const requirements: readonly Requirement[] = [
  changelogEntry,
  fixturesShowChange,
  migrationNote,
  upcasterHolds,
  typesCompile,
];
