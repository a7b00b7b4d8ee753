import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Artefact, Lock, Repository } from "#generated/index.js";
import { UserError } from "../../../src/user-error.js";
import { listArtefacts } from "../../registry/list-artefacts.js";
import { listReleases } from "../../registry/list-releases.js";
import { printVersion } from "../../registry/version.js";
import type { Canonical } from "../canonical.js";
import { listHeld } from "../list-held.js";

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
