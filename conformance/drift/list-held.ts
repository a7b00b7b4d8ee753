import type { Artefact, Lock } from "#generated/index.js";

/**
 * The files of an artefact by the lock of the repository that holds it, in the version at which it is pinned: of what
 * is made from an old version, only that knows which files it was.
 */
export function listHeld(artefact: Artefact, lock: Lock | undefined): Artefact[] {
  return (lock?.artefacts ?? [])
    .filter(({ path, schema, version }) => {
      const isSame = schema === artefact.schema && version === artefact.version;
      return isSame && isWithin(path, artefact.path);
    })
    .map(({ source, path }) => ({ ...artefact, source, path }));
}

/** Whether a file is at a place, or in the folder there. */
export function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}
