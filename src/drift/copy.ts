import type { Artefact, Lock } from "#generated/index.js";
import type { Finding } from "../findings/finding.js";
import { isLater } from "../schemas/version.js";
import type { CopyGrade, HashGrade } from "./grade.js";
import type { Tree } from "./trees/tree.js";

export type Grade = CopyGrade["grade"] | HashGrade["grade"];

/** A file of a repository, and what it is to the one that it should be a copy of. */
export interface CheckedCopy extends Pick<Artefact, "kind" | "schema" | "version" | "path"> {
  readonly grade: Grade;
  /** The version that it is instead of its own; undefined when it is its own, or none that is known. */
  readonly is?: string | undefined;
  readonly findings: readonly Finding[];
}

const MEANINGS: Readonly<Record<Grade, string>> = {
  identical: "is identical",
  formatting: "differs in formatting alone",
  documentation: "differs in what is written for people alone",
  compatible: "is another schema that accepts the same records",
  breaking: "is another schema",
  undecided: "is another schema, and whether it accepts the same records nobody could say",
  changed: "is another file",
  missing: "is not there",
  unexpected: "cannot be compared with what nobody has any more",
  unreadable: "cannot be read",
};

/** What a grade says of a copy, in a sentence that follows its name. */
export function describeGrade(graded: CopyGrade | HashGrade): string {
  if (graded.grade === "unreadable") return graded.because;
  if (graded.grade !== "breaking") return MEANINGS[graded.grade];
  const { backward, forward } = graded.comparison;
  return [
    ...(backward === "breaking" ? ["rejects records that are valid"] : []),
    ...(forward === "breaking" ? ["accepts records that are invalid"] : []),
  ].join(", and ");
}

/** What it says of a copy that it is version `is` where `pinned` should be; "" when it is no version that is known. */
export function describeStanding(is: string | undefined, pinned: string): string {
  if (is === undefined) return "";
  return isLater(pinned, is) ? `behind: it is ${is}` : `ahead: it is ${is}`;
}

/** A repository that is looked at, and what it is registered to hold. */
export interface OpenedRepository {
  /** As the registry calls it. */
  readonly name: string;
  /** As the user named where it is. */
  readonly place: string;
  readonly tree: Tree;
  /** File by file. */
  readonly artefacts: readonly Artefact[];
  /** Undefined when it has none that can be read. */
  readonly lock: Lock | undefined;
  /** What is wrong with its lock. */
  readonly lockFaults: readonly Finding[];
}
