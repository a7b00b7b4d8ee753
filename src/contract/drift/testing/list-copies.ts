import type { Artefact } from "#generated/index.js";
import type { Canonical } from "../canonical.js";
import { listLayout } from "./layouts.js";

/** Everything that a repository of the requirement documents holds at the present version, file by file. */
export function listCopies(canonical: Canonical, repository: string): Artefact[] {
  const version = canonical.presentVersion("rollout-wire") ?? "";
  return listLayout(repository, version).flatMap((artefact) =>
    canonical.filesOf(artefact, undefined),
  );
}
