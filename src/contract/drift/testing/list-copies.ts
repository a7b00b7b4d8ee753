import type { Artefact } from "#generated/index.js";
import type { Canonical } from "../canonical.js";

/** Everything that the registry lists for a repository, file by file. */
export function listCopies(canonical: Canonical, repository: string): Artefact[] {
  return canonical
    .registeredFor(repository)
    .flatMap((artefact) => canonical.filesOf(artefact, undefined));
}
