import type { Artefact, Lock, SchemaHashes } from "#generated/index.js";
import {
  createFinding,
  type FaultPlace,
  type Finding,
  toTextPosition,
} from "../../base/findings/finding.js";
import { escapeControls } from "../../base/text.js";
import { DIRECTIONS, type Direction, type VersionComparison } from "../compat/compare-versions.js";
import {
  type LoadedVersions,
  type PlacedChange,
  placeChanges,
  printWitness,
} from "../compat/findings.js";
import { commonUse } from "../schemas/format-use.js";
import { schemaHashes } from "../schemas/hashes.js";
import { JsonTextError } from "../schemas/json-text.js";
import { isLater, parseVersion } from "../schemas/version.js";
import type { Canonical, KnownVersion } from "./canonical.js";
import { type CopyGrade, gradePinned, type PinnedFile, type Surroundings } from "./grade.js";
import { GRADE_DESCRIPTIONS, type Grade } from "./grades.js";
import { type HashGrade, hasText } from "./hash-grade.js";
import { findLocked } from "./lock.js";
import { formatUseIn, toSchemaFiles } from "./trees/schema-files.js";
import type { Tree } from "./trees/tree.js";

/** A copy in a repository, compared with its original. */
export interface CheckedCopy extends Pick<Artefact, "kind" | "schema" | "version" | "path"> {
  readonly grade: Grade;
  /** Its actual version, if that is known and not the pinned one. */
  readonly is?: string | undefined;
  readonly findings: readonly Finding[];
}

/** A grade as a sentence that follows the name of the copy. */
export function describeGrade(graded: CopyGrade | HashGrade): string {
  if (graded.grade === "unreadable") return graded.because;
  if (graded.grade !== "breaking") return GRADE_DESCRIPTIONS[graded.grade];
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

export interface CheckCopyContext {
  readonly canonical: Canonical;
  readonly tree: Tree;
  /** The lock of the repository, if any. */
  readonly lock: Lock | undefined;
}

/** Compares a copy with its original. Any difference is an error; the grade is its severity. */
export function checkCopy(
  artefact: Pick<Artefact, "kind" | "schema" | "version" | "path">,
  pinned: PinnedFile | undefined,
  { canonical, tree, lock }: CheckCopyContext,
): CheckedCopy {
  const { kind, schema, version, path } = artefact;
  const copy = tree.read(path);
  const graded = gradePinned(pinned, copy, () => surroundingsOf(path, tree, canonical));
  const isOwn = graded.grade === "changed" && findLocked(lock, path) === undefined;
  const grade: Grade = isOwn ? "not-adopted" : graded.grade;
  const checked = { kind, schema, version, path, grade };
  if (grade === "identical") return { ...checked, findings: [] };
  const isOtherVersion = kind === "schema" && copy !== undefined && !isSameContract(graded);
  const is = isOtherVersion
    ? findVersion(copy, path, canonical.versionsOf(schema), lock)
    : undefined;
  const standing = describeStanding(is, version);
  const text = copy?.toString("utf8").replace(/^\ufeff/, "");
  const should = `should be ${schema} ${version}${standing && `, is ${standing}`}`;
  const finding = createFinding({
    id: grade,
    file: tree.nameOf(path),
    ...(text !== undefined && { source: text }),
    message: `${isOwn ? GRADE_DESCRIPTIONS[grade] : describeGrade(graded)}: ${should}`,
    ...placeOf(graded, `${schema} ${version}`, text ?? ""),
  });
  return { ...checked, is, findings: [finding] };
}

/**
 * What a schema in a repository may refer to: canonical schemas by their `$id`, and files by their paths. `format` is
 * asserted if it is in the originals, or in that file.
 */
export function surroundingsOf(path: string, tree: Tree, canonical: Canonical): Surroundings {
  const formats = commonUse(canonical.formatUse, formatUseIn(tree, path));
  return { others: canonical.schemaTexts(), files: toSchemaFiles(tree, path), formats };
}

/** Whether the copy is the pinned version, apart from line ends, formatting and documentation. */
function isSameContract({ grade }: CopyGrade | HashGrade): boolean {
  return ["line-ends", "formatting", "documentation"].includes(grade);
}

/** The place of the difference in the copy, with proof. */
function placeOf(
  graded: CopyGrade | HashGrade,
  original: string,
  text: string,
): Pick<FaultPlace, "pointer" | "position" | "detail"> {
  if ("comparison" in graded) {
    const { pointer, detail } = describeChanges(original, graded.comparison, graded.versions);
    return { pointer, ...(detail !== "" && { detail }) };
  }
  if (!("fault" in graded) || graded.fault === undefined) return {};
  const { pointer, offset } = graded.fault;
  return { pointer, position: toTextPosition(text, offset) };
}

/**
 * The version of a copied schema: the newest version with the same contract; else the locked version, if the lock has
 * exactly these bytes; else a later major version according to its `$id`. Undefined if unknown.
 */
function findVersion(
  copy: Uint8Array,
  path: string,
  known: readonly KnownVersion[],
  lock: Lock | undefined,
): string | undefined {
  const contract = hashesOf(copy)?.contract;
  const same = known.find(({ text }) => schemaHashes(text).contract === contract);
  if (same !== undefined) return same.version;
  const locked = findLocked(lock, path);
  return hasText(copy, locked?.hashes.bytes) ? locked?.version : findLater(copy, known);
}

/** Such as `2.0.0` if the `$id` ends in `:v2` or `/v2` and only earlier versions are known. */
function findLater(copy: Uint8Array, [newest]: readonly KnownVersion[]): string | undefined {
  const [, major = "0"] =
    /"\$id"\s*:\s*"[^"]*[:/]v(\d+)"/.exec(Buffer.from(copy).toString("utf8")) ?? [];
  const known = newest === undefined ? 0 : parseVersion(newest.version).major;
  return Number(major) > known ? `${Number(major)}.0.0` : undefined;
}

/** The hashes of a schema; undefined if the text has no canonical form. */
export function hashesOf(copy: string | Uint8Array): SchemaHashes | undefined {
  try {
    return schemaHashes(copy);
  } catch (error) {
    if (error instanceof JsonTextError) return undefined;
    throw error;
  }
}

/** Limit on the changes that are listed. */
const MAX_CHANGES = 5;

interface DescribedChanges {
  /** JSON Pointer to the first difference in the copy. */
  readonly pointer: string;
  /** The differences, each with a record that only one of the two schemas accepts. */
  readonly detail: string;
}

/**
 * Describes what differs between a schema (the old version) and a copy of it (the new one), and matters for records.
 * `original` is the name of that schema and its version.
 */
export function describeChanges(
  original: string,
  { changes }: VersionComparison,
  versions: LoadedVersions,
): DescribedChanges {
  const placed = placeChanges(changes, versions).filter(({ change }) => isDifference(change));
  const listed = placed
    .slice(0, MAX_CHANGES)
    .flatMap((each) => [describeChange(each), ...describeEffects(each, original)]);
  const left = placed.length - MAX_CHANGES;
  const lines = [...listed, ...(left > 0 ? [`... and ${left} more`] : [])];
  return { pointer: placed[0]?.pointerNew ?? "", detail: lines.map(escapeControls).join("\n") };
}

/** A format that is an annotation is listed too: somewhere else it may be asserted. */
function isDifference({ effects, rule }: PlacedChange["change"]): boolean {
  if (rule.name === "format-changed") return true;
  return DIRECTIONS.some((direction) => effects.validate[direction].verdict !== "compatible");
}

function describeChange({ subject, elsewhere, change }: PlacedChange): string {
  const place = elsewhere === undefined ? "" : `, in ${elsewhere}`;
  return `${subject} ${change.message}${place}  (${change.rule.name})`;
}

/** Which of the two schemas accepts the record that shows a change. */
const ACCEPTED_BY: Readonly<Record<Direction, (original: string) => string>> = {
  backward: (original) => `${original} accepts this, the copy does not`,
  forward: (original) => `the copy accepts this, ${original} does not`,
};

function describeEffects({ change }: PlacedChange, original: string): string[] {
  return DIRECTIONS.flatMap((direction) => {
    const effect = change.effects.validate[direction];
    if (effect.verdict === "compatible") return [];
    if (effect.verdict === "undecided") return [`  ${effect.because}`];
    return [`  ${ACCEPTED_BY[direction](original)}:  ${printWitness(effect.witness)}`];
  });
}
