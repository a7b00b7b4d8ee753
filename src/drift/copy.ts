import type { Artefact, Lock } from "#generated/index.js";
import type { Finding } from "../findings/finding.js";
import { isLater } from "../schemas/version.js";
import type { CopyGrade } from "./grade.js";
import type { HashGrade } from "./hash-grade.js";
import type { Tree } from "./trees/tree.js";

type Grade = CopyGrade["grade"] | HashGrade["grade"];

/** A copy in a repository, compared with its original. */
export interface CheckedCopy extends Pick<Artefact, "kind" | "schema" | "version" | "path"> {
  readonly grade: Grade;
  /** Its actual version, if that is known and not the pinned one. */
  readonly is?: string | undefined;
  readonly findings: readonly Finding[];
}

const DESCRIPTIONS: Readonly<Record<Grade, string>> = {
  identical: "is identical",
  formatting: "differs in formatting only",
  documentation: "differs in documentation only",
  compatible: "is a different schema that accepts the same records",
  breaking: "is a different schema",
  undecided: "is a different schema; whether it accepts the same records is undecided",
  changed: "is a different file",
  missing: "is missing",
  unexpected: "cannot be compared: its original is no longer available",
  unreadable: "cannot be read",
};

/** A grade as a sentence that follows the name of the copy. */
export function describeGrade(graded: CopyGrade | HashGrade): string {
  if (graded.grade === "unreadable") return graded.because;
  if (graded.grade !== "breaking") return DESCRIPTIONS[graded.grade];
  const { backward, forward } = graded.comparison;
  return [
    ...(backward === "breaking" ? ["rejects records that are valid"] : []),
    ...(forward === "breaking" ? ["accepts records that are invalid"] : []),
  ].join(", and ");
}

/** Says how the copy's version relates to the pinned one; empty if it is unknown. */
export function describeStanding(is: string | undefined, pinned: string): string {
  if (is === undefined) return "";
  return isLater(pinned, is) ? `behind: it is ${is}` : `ahead: it is ${is}`;
}

/** An opened repository and its registered copies. */
export interface OpenedRepository {
  /** Its name in the registry. */
  readonly name: string;
  /** Its folder, as the user named it. */
  readonly place: string;
  readonly tree: Tree;
  /** File by file. */
  readonly artefacts: readonly Artefact[];
  /** Undefined if it has none, or an invalid one. */
  readonly lock: Lock | undefined;
  /** Errors of its lock. */
  readonly lockFaults: readonly Finding[];
}
