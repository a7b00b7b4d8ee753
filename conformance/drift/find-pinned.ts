import type { Artefact, Lock, LockedArtefact } from "#generated/index.js";
import type { Canonical } from "./canonical.js";
import type { PinnedFile } from "./grade-pinned.js";
import { hashArtefact } from "./hash-artefact.js";

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
