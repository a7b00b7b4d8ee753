import type { Artefact, Lock } from "#generated/index.js";
import type { FaultPlace } from "../../src/findings/finding.js";
import { createFinding, toTextPosition } from "../../src/findings/finding.js";
import type { Canonical } from "./canonical.js";
import type { CheckedCopy } from "./checked-copy.js";
import { describeChanges } from "./describe-changes.js";
import { describeGrade, describeStanding } from "./describe-grade.js";
import { findVersion } from "./find-version.js";
import type { HashGrade } from "./grade-by-hashes.js";
import type { CopyGrade } from "./grade-copy.js";
import { gradePinned, type PinnedFile } from "./grade-pinned.js";
import type { Tree } from "./trees/tree.js";

export interface CheckCopyContext {
  readonly canonical: Canonical;
  readonly tree: Tree;
  /** The lock of the repository, if it has one. */
  readonly lock: Lock | undefined;
}

/**
 * What a file of a repository is to the one that it is to be a copy of. Whatever differs is an error: the grade says
 * how bad it is.
 */
export function checkCopy(
  artefact: Pick<Artefact, "kind" | "schema" | "version" | "path">,
  pinned: PinnedFile | undefined,
  { canonical, tree, lock }: CheckCopyContext,
): CheckedCopy {
  const { kind, schema, version, path } = artefact;
  const copy = tree.read(path);
  const graded = gradePinned(pinned, copy, () => canonical.schemaTexts());
  const checked = { kind, schema, version, path, grade: graded.grade };
  if (graded.grade === "identical") return { ...checked, findings: [] };
  const isOther = kind === "schema" && copy !== undefined && !isSameContract(graded);
  const is = isOther ? findVersion(copy, path, canonical.versionsOf(schema), lock) : undefined;
  const standing = describeStanding(is, version);
  const text = copy?.toString("utf8").replace(/^\ufeff/, "");
  const should = `should be ${schema} ${version}${standing && `, is ${standing}`}`;
  const finding = createFinding({
    id: graded.grade,
    file: tree.nameOf(path),
    ...(text !== undefined && { source: text }),
    message: `${describeGrade(graded)}: ${should}`,
    ...placeOf(graded, text ?? ""),
  });
  return { ...checked, is, findings: [finding] };
}

/** Then it is the version that it is to be. */
function isSameContract({ grade }: CopyGrade | HashGrade): boolean {
  return grade === "formatting" || grade === "documentation";
}

/** Where in the copy it is at fault, and what shows it. */
function placeOf(
  graded: CopyGrade | HashGrade,
  text: string,
): Pick<FaultPlace, "pointer" | "position" | "detail"> {
  if ("comparison" in graded) {
    const { pointer, detail } = describeChanges(graded.comparison, graded.versions);
    return { pointer, ...(detail !== "" && { detail }) };
  }
  if (!("fault" in graded) || graded.fault === undefined) return {};
  const { pointer, offset } = graded.fault;
  return { pointer, position: toTextPosition(text, offset) };
}
