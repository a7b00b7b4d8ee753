import type { Artefact, FormatUse, Lock, LockedArtefact, LockedHashes } from "#generated/index.js";
import { packageVersion } from "../../base/package.js";
import { UserError } from "../../base/user-error.js";
import { compareVersions, type VersionComparison } from "../compat/compare-versions.js";
import type { LoadedVersions } from "../compat/findings.js";
import { loadVersion } from "../compat/load-version.js";
import type { SchemaFiles } from "../compat/schema/schema-files.js";
import { schemaHashes } from "../schemas/hashes.js";
import type { NamedText } from "../schemas/schema-id.js";
import type { Canonical, KnownVersion } from "./canonical.js";
import { gradeByHashes, type HashGrade } from "./hash-grade.js";
import { hashArtefact } from "./lock.js";

/** The grade of a schema copy after comparing the schemas. */
export type CopyGrade =
  | Exclude<HashGrade, { readonly grade: "changed" }>
  | {
      /** It has no original, or the original is no longer available. */
      readonly grade: "unexpected";
    }
  | {
      /** `compatible` only if both certainly accept the same records. */
      readonly grade: "compatible" | "breaking" | "undecided";
      /** The original is the old version, the copy the new one. */
      readonly comparison: VersionComparison;
      readonly versions: LoadedVersions;
    };

/** A schema and its copy; undefined if missing. */
interface CopyPair extends Surroundings {
  readonly canonical: string | undefined;
  /** The files that the schema may refer to by their path. Default: none. */
  readonly canonicalFiles?: SchemaFiles;
  readonly copy: string | undefined;
  /** JSON Pointers to the parts that are compared. Default: the whole. */
  readonly fragment?: { readonly canonical: string; readonly copy?: string };
}

/** What a schema may refer to. */
export interface Surroundings {
  /** Schemas that a reference may name by `$id`. */
  readonly others: readonly NamedText[];
  /** The files that a reference may name by their paths. Default: none. */
  readonly files?: SchemaFiles;
  /** Whether `format` is asserted, in the original as in the copy. */
  readonly formats: FormatUse;
}

/** Grades a copy of a schema. Throws UserError if the original is not a valid schema. */
export function gradeCopy({
  canonical,
  canonicalFiles,
  copy,
  fragment,
  others,
  files,
  formats,
}: CopyPair): CopyGrade {
  if (copy === undefined) return { grade: "missing" };
  if (canonical === undefined) return { grade: "unexpected" };
  const byHashes = gradeByHashes(schemaHashes(canonical), copy);
  if (byHashes.grade !== "changed") return byHashes;
  const name = "the canonical schema";
  const original = loadVersion({
    name,
    text: canonical,
    others,
    formats,
    ...(canonicalFiles && { files: canonicalFiles }),
    fragment: fragment?.canonical,
  });
  try {
    const text = copy.replace(/^\ufeff/, "");
    const found = loadVersion({
      name: "the copy",
      text,
      others,
      formats,
      ...(files && { files }),
      fragment: fragment?.copy,
    });
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

/** The original of a copy, in the pinned version. */
export interface PinnedFile {
  readonly hashes: LockedHashes;
  /** The text of a schema, if available, for a comparison beyond hashes. */
  readonly text: string | undefined;
  /** Hash of what was published, if its owner has edited it since: no copy of that is to blame. */
  readonly published: string | undefined;
}

/**
 * Grades a copy by hashes, and if these do not say what differs, by comparing the schemas. `pinned` is undefined if
 * the original is unknown; `surroundingsOf` gives what the copy may refer to.
 */
export function gradePinned(
  pinned: PinnedFile | undefined,
  copy: Uint8Array | undefined,
  surroundingsOf: () => Surroundings,
): CopyGrade | HashGrade {
  if (copy === undefined) return { grade: "missing" };
  if (pinned === undefined) return { grade: "unexpected" };
  const { hashes, text, published } = pinned;
  const former = published && gradeByHashes({ bytes: published }, copy);
  if (former && ["identical", "line-ends"].includes(former.grade)) return former;
  const graded = gradeByHashes(hashes, copy);
  if (graded.grade !== "changed" || text === undefined) return graded;
  return gradeCopy({
    canonical: text,
    copy: Buffer.from(copy).toString("utf8"),
    ...surroundingsOf(),
  });
}

/** The original of a registered copy. For code generated from an old version, only the lock has its hash. */
export function findPinned(
  artefact: Artefact,
  canonical: Canonical,
  lock: Lock | undefined,
): PinnedFile | undefined {
  const { path, version } = artefact;
  const locked = lock?.artefacts.find((each) => each.path === path && each.version === version);
  return readPinned(artefact, canonical) ?? (locked && toLocked(locked));
}

/**
 * The original of a locked copy: the file itself, if this package has it, so that a lock that was rewritten for a changed
 * copy says nothing; else what the lock says. Code that another version of the program generated may differ.
 */
export function toPinned(artefact: LockedArtefact, canonical: Canonical, lock: Lock): PinnedFile {
  const isSameProgram = artefact.kind === "schema" || lock.tool_version === packageVersion();
  return (isSameProgram ? readPinned(artefact, canonical) : undefined) ?? toLocked(artefact);
}

function toLocked({ hashes }: LockedArtefact): PinnedFile {
  return { hashes, text: undefined, published: undefined };
}

/** Undefined if the original is not available. */
function readPinned(artefact: Artefact, canonical: Canonical): PinnedFile | undefined {
  const { kind, schema, version } = artefact;
  const file = canonical.read(artefact);
  if (file === undefined) return undefined;
  const hashes = hashArtefact(kind, file);
  if (kind !== "schema") return { hashes, text: undefined, published: undefined };
  const { published } = canonical.version(schema, version) ?? {};
  return { hashes, text: file.toString("utf8"), published };
}

/** Whether a lock has the contract of a published version, or what that was before its owner edited it. */
export function isLockedAs({ text, published }: KnownVersion, hashes: LockedHashes): boolean {
  return published === hashes.bytes || schemaHashes(text).contract === hashes.contract;
}
