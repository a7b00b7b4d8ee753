import type { Artefact } from "#generated/index.js";
import type { Finding } from "../../src/findings/finding.js";
import type { HashGrade } from "./grade-by-hashes.js";
import type { CopyGrade } from "./grade-copy.js";

export type Grade = CopyGrade["grade"] | HashGrade["grade"];

/** A file of a repository, and what it is to the one that it should be a copy of. */
export interface CheckedCopy extends Pick<Artefact, "kind" | "schema" | "version" | "path"> {
  readonly grade: Grade;
  /** The version that it is instead of its own; undefined when it is its own, or none that is known. */
  readonly is?: string | undefined;
  readonly findings: readonly Finding[];
}
