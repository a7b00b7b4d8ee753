import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Artefact, Lock, LockedArtefact, Repository } from "#generated/index.js";
import { compareVersions, type VersionComparison } from "../../compat/compare-versions.js";
import { loadVersion } from "../../compat/load-version.js";
import { isJsonObject } from "../../json/value.js";
import { listArtefacts } from "../../schemas/artefacts.js";
import { schemaHashes, sha256 } from "../../schemas/hashes.js";
import { listReleases } from "../../schemas/releases.js";
import { isLater, printVersion } from "../../schemas/version.js";
import { UserError } from "../../user-error.js";
import type { Canonical, KnownVersion } from "../canonical.js";
import { gradeByHashes } from "../grade.js";
import { hashArtefact, listHeld } from "../lock.js";

/** A file that a repository is to hold. */
export interface WantedCopy {
  /** `source` is the file that it is a copy of, be it of an old version. */
  readonly artefact: Artefact;
  /** Undefined where it is of an old version that is no longer at hand. */
  readonly wanted: Buffer | undefined;
}

export interface WantedCopiesContext {
  readonly canonical: Canonical;
  /** The package, or the checkout, from which the copies come. */
  readonly root: string;
  /** What the repository held before. */
  readonly lock: Lock | undefined;
}

/**
 * The files that a repository is to hold, in the versions to which it is pinned. Old versions of schemas are at
 * hand; of what is made from an old version, only the lock knows which files it was. Throws UserError (exit 3) for a
 * file that is not at its source.
 */
export function listWantedCopies(
  { artefacts }: Repository,
  context: WantedCopiesContext,
): WantedCopy[] {
  return artefacts.flatMap((artefact) => {
    const { schema, version } = artefact;
    if (version === context.canonical.presentVersion(schema)) return readPresent(artefact, context);
    return artefact.kind === "schema"
      ? [readReleased(artefact, context)]
      : listKept(artefact, context);
  });
}

function readPresent(artefact: Artefact, { root }: WantedCopiesContext): WantedCopy[] {
  const files = listArtefacts(root, artefact);
  if (files.length > 0) {
    return files.map((each) => ({
      artefact: each,
      wanted: readFileSync(join(root, each.source)),
    }));
  }
  throw new UserError(
    `${artefact.source}: is not there, and ${artefact.path} is to be a copy of it: name a checkout of rollout-wire that has it with --root DIR`,
  );
}

function readReleased(artefact: Artefact, { root }: WantedCopiesContext): WantedCopy {
  const release = listReleases(root, artefact.schema).find(
    ({ version }) => printVersion(version) === artefact.version,
  );
  if (release === undefined) return { artefact, wanted: undefined };
  const wanted = readFileSync(join(root, release.file));
  return { artefact: { ...artefact, source: release.file }, wanted };
}

function listKept(artefact: Artefact, { lock }: WantedCopiesContext): WantedCopy[] {
  const held = listHeld(artefact, lock);
  return (held.length > 0 ? held : [artefact]).map((each) => ({
    artefact: each,
    wanted: undefined,
  }));
}

/** What a file of a repository is to the one that is to be there. */
export type CopyState =
  | {
      /**
       * `behind`: a former version that nobody changed. `held`: the version that is to be there, though nobody has
       * another copy of it.
       */
      readonly state: "missing" | "current" | "behind" | "held";
    }
  | {
      /** A later version; `later` names it. */
      readonly state: "ahead";
      readonly later: string;
    }
  | {
      /** Somebody changed it here; `extent` is how far that goes. */
      readonly state: "changed";
      readonly extent: "formatting" | "documentation" | "contents";
    }
  | {
      /** What is to be there is of an old version, and nobody has it any more; `present` is the one that is at hand. */
      readonly state: "unavailable";
      readonly present: string | undefined;
    };

export interface CopyFacts {
  readonly artefact: Artefact;
  /** What is to be there; undefined where that is no longer at hand. */
  readonly wanted: Buffer | undefined;
  /** What is there; undefined when nothing is. */
  readonly copy: Buffer | undefined;
  /** What was there when it was last made. */
  readonly locked: LockedArtefact | undefined;
  /** The version of its schema that this package has. */
  readonly present: string | undefined;
  /** All versions of the schema; of what is no schema, none is known. */
  readonly versions: readonly KnownVersion[];
  /** Whether the lock was written by a later version of this program. */
  readonly isLockedByLater: boolean;
}

/** What a copy is, so that nothing is overwritten that exists nowhere else. */
export function copyStateOf(judged: CopyFacts): CopyState {
  const { artefact, wanted, copy, locked } = judged;
  if (wanted === undefined) {
    return isHeld(judged) ? { state: "held" } : { state: "unavailable", present: judged.present };
  }
  if (copy === undefined) return { state: "missing" };
  const later = findLater(judged, wanted, copy);
  if (later !== undefined) return { state: "ahead", later };
  if (copy.equals(wanted)) return { state: "current" };
  const known = isTrue(judged) ? locked?.hashes : undefined;
  if (sha256(copy) === known?.bytes) return { state: "behind" };
  if (judged.versions.some(({ text }) => copy.equals(Buffer.from(text)))) {
    return { state: "behind" };
  }
  const { grade } = gradeByHashes(known ?? hashArtefact(artefact.kind, wanted), copy);
  const isSmall = grade === "formatting" || grade === "documentation";
  return { state: "changed", extent: isSmall ? grade : "contents" };
}

function isHeld({ artefact, copy, locked }: CopyFacts): boolean {
  if (copy === undefined || locked?.version !== artefact.version) return false;
  return sha256(copy) === locked.hashes.bytes;
}

/** Not so for a lock that was written anew with a copy that somebody changed: what was published is known. */
function isTrue({ locked, versions }: CopyFacts): boolean {
  const published = versions.find(({ version }) => version === locked?.version);
  if (published === undefined) return true;
  return schemaHashes(published.text).contract === locked?.hashes.contract;
}

/** A version that the copy is, and that comes after the one that is to be there. */
function findLater(
  { artefact, locked, versions, isLockedByLater }: CopyFacts,
  wanted: Buffer,
  copy: Buffer,
): string | undefined {
  const { kind, schema, version } = artefact;
  if (locked !== undefined && isLater(locked.version, version)) {
    return `its lock has ${schema} ${locked.version}`;
  }
  if (copy.equals(wanted)) return undefined;
  if (isLockedByLater) return "its lock is of a later rollout-wire";
  if (kind !== "schema") return undefined;
  const known = versions.find(({ text }) => copy.equals(Buffer.from(text)));
  if (known !== undefined && isLater(known.version, version)) {
    return `it is ${schema} ${known.version}`;
  }
  const [own, other] = [readId(wanted), readId(copy)];
  const isSuccessor = own?.base === other?.base && (other?.major ?? 0) > (own?.major ?? 0);
  return other !== undefined && isSuccessor ? `its "$id" ends with v${other.major}` : undefined;
}

interface VersionId {
  readonly base: string;
  readonly major: number;
}

/** Of a schema whose `$id` ends with its major version, as `.../rollout-wire/v1`. */
function readId(text: Buffer): VersionId | undefined {
  const id = findId(text);
  const [, base, major] = (typeof id === "string" && /^(.*\/)v(\d+)$/.exec(id)) || [];
  return base === undefined ? undefined : { base, major: Number(major) };
}

function findId(text: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(text.toString("utf8").replace(/^\ufeff/, ""));
    return isJsonObject(value) ? value.$id : undefined;
  } catch {
    return undefined;
  }
}

/** Two texts of a schema, and those of others to which they may refer. */
export interface TextPair {
  readonly before: string;
  readonly after: string;
  readonly others: readonly string[];
}

/** What lies between two texts of a schema; undefined when one of them is none. */
export function compareTexts({ before, after, others }: TextPair): VersionComparison | undefined {
  try {
    const [old, present] = [before, after].map((text) =>
      loadVersion({ name: "schema", text: text.replace(/^\ufeff/, ""), others }),
    );
    return old && present && compareVersions(old.root, present.root);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
