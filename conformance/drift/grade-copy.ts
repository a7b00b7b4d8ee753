import { UserError } from "../../src/user-error.js";
import { compareVersions, type VersionComparison } from "../compat/compare-versions.js";
import { loadVersion } from "../compat/load-version.js";
import type { LoadedVersions } from "../compat/to-diff-findings.js";
import { schemaHashes } from "../registry/schema-hashes.js";
import { gradeByHashes, type HashGrade } from "./grade-by-hashes.js";

/** What a copy of a schema is to the canonical one. */
export type CopyGrade =
  | Exclude<HashGrade, { readonly grade: "changed" }>
  | {
      /** A copy of what is not there, or is there no longer. */
      readonly grade: "unexpected";
    }
  | {
      /** `compatible` only when it is certain that no record is valid under one of the two alone. */
      readonly grade: "compatible" | "breaking" | "undecided";
      /** The canonical schema is the old version in it, the copy the new one. */
      readonly comparison: VersionComparison;
      readonly versions: LoadedVersions;
    };

/** A schema and its copy, each undefined where there is none. */
export interface CopyPair {
  readonly canonical: string | undefined;
  readonly copy: string | undefined;
  /** Texts of other schemas to which they may refer. */
  readonly others: readonly string[];
}

/** The grade of a copy of a schema. Throws UserError for a canonical schema that is none. */
export function gradeCopy({ canonical, copy, others }: CopyPair): CopyGrade {
  if (copy === undefined) return { grade: "missing" };
  if (canonical === undefined) return { grade: "unexpected" };
  const byHashes = gradeByHashes(schemaHashes(canonical), copy);
  if (byHashes.grade !== "changed") return byHashes;
  const original = loadVersion({ name: "the canonical schema", text: canonical, others });
  try {
    const text = copy.replace(/^\ufeff/, "");
    const found = loadVersion({ name: "the copy", text, others });
    const comparison = compareVersions(original.root, found.root);
    const versions = { old: original, new: found };
    return { grade: toGrade(comparison), comparison, versions };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { grade: "unreadable", because: error.message };
  }
}

function toGrade({ backward, forward }: VersionComparison): VersionComparison["backward"] {
  const verdicts = [backward, forward];
  if (verdicts.includes("breaking")) return "breaking";
  return verdicts.includes("undecided") ? "undecided" : "compatible";
}
