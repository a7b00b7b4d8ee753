import type { Canonical } from "../../drift/canonical.js";
import type { OpenedRepository } from "../../drift/copy.js";
import { openTree } from "../../drift/trees/open.js";
import { UserError } from "../../user-error.js";
import { parseRepository } from "../parse-repository.js";
import { readLockOf } from "./read-lock-of.js";

/** A repository that nobody could look at. */
export interface Unreachable {
  readonly name: string;
  readonly place: string;
  readonly because: string;
}

export interface OpenedRepositories {
  readonly opened: readonly OpenedRepository[];
  readonly unreachable: readonly Unreachable[];
}

/** Opens what `--repo` names. Throws UserError (exit 2) for names that the registry does not know. */
export function openRepositories(
  named: readonly string[],
  canonical: Canonical,
  cwd: string,
): OpenedRepositories {
  const opened: OpenedRepository[] = [];
  const unreachable: Unreachable[] = [];
  for (const value of named) {
    const { repository, place } = parseRepository(value, canonical.registry);
    const { name } = repository;
    try {
      const tree = openTree(place, cwd);
      const read = readLockOf(tree);
      const artefacts = canonical.artefactsOf(name, read.lock);
      opened.push({ name, place, tree, artefacts, ...read });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      unreachable.push({ name, place, because: error.message });
    }
  }
  return { opened, unreachable };
}
