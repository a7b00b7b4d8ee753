import type { Artefact, Lock, LockedArtefact, LockedHashes } from "#generated/index.js";
import { compareVersions, type VersionComparison } from "../compat/compare-versions.js";
import type { LoadedVersions } from "../compat/findings.js";
import { loadVersion } from "../compat/load-version.js";
import { schemaHashes, sha256 } from "../schemas/hashes.js";
import { JsonTextError, type JsonTextFault } from "../schemas/json-text.js";
import { UserError } from "../user-error.js";
import type { Canonical } from "./canonical.js";
import { hashArtefact } from "./lock.js";

/** What the hashes of a file tell of a copy of it. */
export type HashGrade =
  | {
      /**
       * `formatting` when only layout, line ends, a byte-order mark or the newline at the end differ,
       * `documentation` when no verdict of a schema does either.
       */
      readonly grade: "identical" | "formatting" | "documentation" | "missing";
    }
  | {
      /** More may differ; hashes do not say what. */
      readonly grade: "changed";
    }
  | UnreadableCopy;

/** A copy of a schema of which nobody can say what it means. */
export interface UnreadableCopy {
  readonly grade: "unreadable";
  /** A sentence that follows the copy's name. */
  readonly because: string;
  /** Where in its text; absent for one that has a canonical form, but is no schema. */
  readonly fault?: JsonTextFault;
}

/** The grade of a copy, by the hashes of the file that it is a copy of; `copy` is undefined where there is none. */
export function gradeByHashes(
  hashes: LockedHashes,
  copy: string | Uint8Array | undefined,
): HashGrade {
  if (copy === undefined) return { grade: "missing" };
  if (sha256(copy) === hashes.bytes) return { grade: "identical" };
  if (hashes.canonical === undefined) {
    return { grade: sha256(toPlainText(copy)) === hashes.bytes ? "formatting" : "changed" };
  }
  try {
    const { canonical, contract } = schemaHashes(copy);
    if (canonical === hashes.canonical) return { grade: "formatting" };
    return { grade: contract === hashes.contract ? "documentation" : "changed" };
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    return { grade: "unreadable", because: error.message, fault: error.fault };
  }
}

/** A text file as this repository writes them: no byte-order mark, LF, one newline at the end. */
function toPlainText(source: string | Uint8Array): string {
  const text = typeof source === "string" ? source : Buffer.from(source).toString("utf8");
  const body = text
    .replace(/^\ufeff/, "")
    .replaceAll("\r\n", "\n")
    .replace(/\n+$/, "");
  return body === "" ? "" : `${body}\n`;
}

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

/** What a copy is to be. */
export interface PinnedFile {
  readonly hashes: LockedHashes;
  /** Of a schema, where it is at hand: it tells what hashes do not. */
  readonly text: string | undefined;
}

/**
 * The grade of a copy: by hashes, and where they do not say what differs, by the schema itself. Undefined, `pinned`
 * is known to nobody; `others` gives the texts of schemas to which it may refer.
 */
export function gradePinned(
  pinned: PinnedFile | undefined,
  copy: Uint8Array | undefined,
  others: () => readonly string[],
): CopyGrade | HashGrade {
  if (copy === undefined) return { grade: "missing" };
  if (pinned === undefined) return { grade: "unexpected" };
  const { hashes, text } = pinned;
  const graded = gradeByHashes(hashes, copy);
  if (graded.grade !== "changed" || text === undefined) return graded;
  return gradeCopy({ canonical: text, copy: Buffer.from(copy).toString("utf8"), others: others() });
}

/** What a copy is to be by the registry; what was made from an old version, only the lock knows. */
export function findPinned(
  artefact: Artefact,
  canonical: Canonical,
  lock: Lock | undefined,
): PinnedFile | undefined {
  const { kind, path, version } = artefact;
  const file = canonical.read(artefact);
  if (file !== undefined) {
    const text = kind === "schema" ? file.toString("utf8") : undefined;
    return { hashes: hashArtefact(kind, file), text };
  }
  const locked = lock?.artefacts.find((each) => each.path === path && each.version === version);
  return locked && { hashes: locked.hashes, text: undefined };
}

/** What a copy is to be by its lock; of a schema that was published the text is at hand. */
export function toPinned(
  { kind, schema, version, hashes }: LockedArtefact,
  canonical: Canonical,
): PinnedFile {
  const text = kind === "schema" ? canonical.version(schema, version)?.text : undefined;
  return { hashes, text };
}
