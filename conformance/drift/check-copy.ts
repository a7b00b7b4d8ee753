import type { Artefact, Lock } from "#generated/index.js";
import { createFinding } from "../findings/create-finding.js";
import type { FaultPlace } from "../findings/fault-place.js";
import type { Finding } from "../findings/finding.js";
import type { Canonical } from "./canonical.js";
import { type CheckedCopy, isHarmless } from "./checked-copy.js";
import { describeChanges } from "./describe-changes.js";
import { describeGrade, describeStanding } from "./describe-grade.js";
import { findBehind } from "./find-behind.js";
import { findVersion } from "./find-version.js";
import { gradeByHashes, type HashGrade } from "./grade-by-hashes.js";
import { type CopyGrade, gradeCopy } from "./grade-copy.js";
import { hashArtefact } from "./hash-artefact.js";
import type { Tree } from "./trees/tree.js";

export interface CheckCopyContext {
  readonly canonical: Canonical;
  readonly tree: Tree;
  /** The lock of the repository, if it has one. */
  readonly lock: Lock | undefined;
}

/** What a file of a repository is to the one that it is registered as a copy of. */
export function checkCopy(artefact: Artefact, context: CheckCopyContext): CheckedCopy {
  const { canonical, tree, lock } = context;
  const { kind, schema, version, path } = artefact;
  const copy = tree.read(path);
  const graded = grade(artefact, copy, context);
  const isSchema = kind === "schema" && copy !== undefined && !isHarmless(graded.grade);
  const is = isSchema ? findVersion(copy, path, canonical.versionsOf(schema), lock) : undefined;
  return {
    ...{ kind, schema, version, path, grade: graded.grade, is },
    findings: [
      ...toFindings(artefact, graded, { is, copy, context }),
      ...findBehind(artefact, context),
    ],
  };
}

function grade(
  artefact: Artefact,
  copy: Buffer | undefined,
  { canonical, lock }: CheckCopyContext,
): CopyGrade | HashGrade {
  const { kind, path, version } = artefact;
  const pinned = canonical.read(artefact);
  if (kind === "schema") {
    const [original, text] = [pinned, copy].map((bytes) => bytes?.toString("utf8"));
    return gradeCopy({ canonical: original, copy: text, others: canonical.schemaTexts() });
  }
  if (pinned !== undefined) return gradeByHashes(hashArtefact(kind, pinned), copy);
  // What was made from an older version is not at hand: the lock knows what it was.
  const locked = lock?.artefacts.find((each) => each.path === path && each.version === version);
  if (locked !== undefined) return gradeByHashes(locked.hashes, copy);
  return copy === undefined ? { grade: "missing" } : { grade: "unexpected" };
}

interface Graded {
  readonly is: string | undefined;
  readonly copy: Buffer | undefined;
  readonly context: CheckCopyContext;
}

function toFindings(
  { schema, version, path }: Artefact,
  graded: CopyGrade | HashGrade,
  { is, copy, context }: Graded,
): Finding[] {
  if (graded.grade === "identical") return [];
  const standing = describeStanding(is, version);
  const original = `${schema} ${version}`;
  const message = `${describeGrade(graded)}: should be ${original}${standing && `, is ${standing}`}`;
  const finding = createFinding({
    id: graded.grade,
    file: context.tree.nameOf(path),
    ...(copy !== undefined && { source: copy.toString("utf8").replace(/^\ufeff/, "") }),
    message,
    ...placeOf(graded),
  });
  return [{ ...finding, severity: isHarmless(graded.grade) ? "warning" : "error" }];
}

/** Where in the copy it is at fault, and what shows it. */
function placeOf(graded: CopyGrade | HashGrade): Pick<FaultPlace, "pointer" | "detail"> {
  if ("comparison" in graded) {
    const { pointer, detail } = describeChanges(graded.comparison, graded.versions);
    return { pointer, ...(detail !== "" && { detail }) };
  }
  return "fault" in graded && graded.fault !== undefined ? { pointer: graded.fault.pointer } : {};
}
