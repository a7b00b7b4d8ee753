import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Artefact, Lock, LockedArtefact } from "#generated/index.js";
import { sha256 } from "../../../base/files/hash.js";
import { isJsonObject, tryParseJson } from "../../../base/json/value.js";
import { UserError } from "../../../base/user-error.js";
import { compareVersions, type VersionComparison } from "../../compat/compare-versions.js";
import { loadVersion } from "../../compat/load-version.js";
import { listArtefacts } from "../../schemas/artefacts.js";
import type { RegistryEntry } from "../../schemas/registry.js";
import { isIdOf, parseSchemaId, type SchemaId } from "../../schemas/schema-id.js";
import { isLater } from "../../schemas/version.js";
import type { Canonical, KnownVersion } from "../canonical.js";
import { isLockedAs, type Surroundings } from "../grade.js";
import { gradeByHashes, hasText, withPlainLineEnds } from "../hash-grade.js";
import { hashArtefact, listHeld } from "../lock.js";

/** A file that a repository must have. */
export interface WantedCopy {
  /** Its `source` may be a released file, if the pinned version is old. */
  readonly artefact: Artefact;
  /** Undefined if it is of an old version that is no longer available. */
  readonly wanted: Buffer | undefined;
}

interface WantedCopiesContext {
  readonly canonical: Canonical;
  /** The lock before the sync. */
  readonly lock: Lock | undefined;
}

/**
 * The files that a repository must have, in their pinned versions. Old versions of schemas are available; for code
 * generated from an old version, the lock only lists the files. Throws UserError (exit 3) if a source is missing.
 */
export function listWantedCopies(
  artefacts: readonly Artefact[],
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

function readPresent(artefact: Artefact, { canonical }: WantedCopiesContext): WantedCopy[] {
  const { root } = canonical;
  const files = listArtefacts(root, artefact);
  if (files.length > 0) {
    return files.map((each) => ({
      artefact: each,
      wanted: readFileSync(join(root, each.source)),
    }));
  }
  throw new UserError(
    `${artefact.source}: is missing, but ${artefact.path} must be a copy of it: name the registry of a checkout that has it with --registry FILE`,
  );
}

function readReleased(artefact: Artefact, { canonical }: WantedCopiesContext): WantedCopy {
  const release = canonical.version(artefact.schema, artefact.version);
  if (release === undefined) return { artefact, wanted: undefined };
  return { artefact: { ...artefact, source: release.file }, wanted: Buffer.from(release.text) };
}

function listKept(artefact: Artefact, { lock }: WantedCopiesContext): WantedCopy[] {
  const held = listHeld(artefact, lock);
  return (held.length > 0 ? held : [artefact]).map((each) => ({
    artefact: each,
    wanted: undefined,
  }));
}

/** The state of a file in a repository, compared with the wanted one. */
export type CopyState =
  | {
      /**
       * `behind`: an unmodified earlier version. `held`: the wanted version, of which no other copy is available.
       */
      readonly state: "missing" | "current" | "behind" | "held";
    }
  | {
      /** A later version; `later` describes it. */
      readonly state: "ahead";
      readonly later: string;
    }
  | {
      /** Modified in the repository; `extent` says how much. */
      readonly state: "changed";
      readonly extent: "formatting" | "documentation" | "contents";
    }
  | {
      /** The wanted version is old and no longer available; `present` is the current one. */
      readonly state: "unavailable";
      readonly present: string | undefined;
    };

/** What the state of a copy depends on. */
interface CopyFacts {
  readonly artefact: Artefact;
  /** The wanted file; undefined if it is no longer available. */
  readonly wanted: Buffer | undefined;
  /** The existing file, if any. */
  readonly copy: Buffer | undefined;
  /** Its entry in the lock, if any. */
  readonly locked: LockedArtefact | undefined;
  /** The registry's entry of its schema. */
  readonly entry: RegistryEntry | undefined;
  /** All versions of the schema; empty for other files. */
  readonly versions: readonly KnownVersion[];
  /** Whether the lock was written by a later version of this program. */
  readonly isLockedByLater: boolean;
}

/**
 * Determines the state of a copy, so that nothing is overwritten that exists nowhere else. Line ends that git converted
 * are no change: an update restores them.
 */
export function copyStateOf(facts: CopyFacts): CopyState {
  const { copy, wanted } = facts;
  const isPlain = copy === undefined || wanted?.includes("\r\n") === true;
  const plain = isPlain ? copy : withPlainLineEnds(copy);
  const found = statePlain({ ...facts, copy: plain });
  const isConverted = found.state === "current" && plain?.length !== copy?.length;
  return isConverted ? { state: "behind" } : found;
}

function statePlain(facts: CopyFacts): CopyState {
  const { artefact, wanted, copy, locked } = facts;
  if (wanted === undefined) {
    return isHeld(facts)
      ? { state: "held" }
      : { state: "unavailable", present: facts.entry?.version };
  }
  if (copy === undefined) return { state: "missing" };
  const later = findLater(facts, wanted, copy);
  if (later !== undefined) return { state: "ahead", later };
  if (hasText(copy, sha256(wanted))) return { state: "current" };
  const known = isLockTrue(facts) ? locked?.hashes : undefined;
  if (hasText(copy, known?.bytes)) return { state: "behind" };
  if (facts.versions.some(({ text }) => copy.equals(Buffer.from(text)))) {
    return { state: "behind" };
  }
  const { grade } = gradeByHashes(known ?? hashArtefact(artefact.kind, wanted), copy);
  const isSmall = grade === "formatting" || grade === "documentation";
  return { state: "changed", extent: isSmall ? grade : "contents" };
}

function isHeld({ artefact, copy, locked }: CopyFacts): boolean {
  if (copy === undefined || locked?.version !== artefact.version) return false;
  return hasText(copy, locked.hashes.bytes);
}

/** False if the lock contradicts a published version, for example after it was rewritten for a modified copy. */
function isLockTrue({ locked, versions }: CopyFacts): boolean {
  const published = versions.find(({ version }) => version === locked?.version);
  return published === undefined || locked === undefined || isLockedAs(published, locked.hashes);
}

/** Why the copy is later than the wanted version; undefined if it is not. */
function findLater(
  { artefact, entry, locked, versions, isLockedByLater }: CopyFacts,
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
  const isSame = other !== undefined && entry !== undefined && isIdOf(entry, other);
  const isSuccessor = isSame && other.major > (own?.major ?? 0);
  return isSuccessor ? `its "$id" ends with v${other.major}` : undefined;
}

/** Of a schema whose `$id` ends with its major version. */
function readId(text: Buffer): SchemaId | undefined {
  const value = tryParseJson(text.toString("utf8").replace(/^\ufeff/, ""));
  return parseSchemaId(isJsonObject(value) ? value.$id : undefined);
}

/** Two texts of a schema, and what they may refer to. */
interface TextPair extends Omit<Surroundings, "files"> {
  readonly before: string;
  readonly after: string;
}

/** Compares two texts of a schema; undefined if one of them is not a schema. */
export function compareTexts({
  before,
  after,
  ...shared
}: TextPair): VersionComparison | undefined {
  try {
    const [old, present] = [before, after].map((text) =>
      loadVersion({ name: "schema", text: text.replace(/^\ufeff/, ""), ...shared }),
    );
    return old && present && compareVersions(old.root, present.root);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
