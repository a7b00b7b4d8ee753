import type { Registry, Repository } from "#generated/index.js";
import { escapeControls, findNearest } from "../text.js";
import { EXIT, UserError } from "../user-error.js";

/** A repository of the registry, and where the user says that it is. */
export interface NamedPlace {
  readonly repository: Repository;
  /** As the user named it. */
  readonly place: string;
}

/** What `--repo <name>=<place>` says. Throws UserError (exit 2) for a name that the registry does not have. */
export function parseRepository(value: string, { repositories }: Registry): NamedPlace {
  const names = repositories.map(({ name }) => name);
  const [, id, place] = /^([^=]+)=(.+)$/s.exec(value) ?? [];
  if (id === undefined || place === undefined) {
    throw repositoryError(value, `write <name>=<place>, with a name of ${names.join(", ")}`);
  }
  const repository = repositories.find(({ name }) => name === id);
  if (repository !== undefined) return { repository, place };
  const nearest = findNearest(id, names);
  throw repositoryError(id, `the registry knows no such repository (did you mean ${nearest}?)`);
}

/** A mistake in an argument of `--repo`. */
export function repositoryError(value: string, problem: string): UserError {
  return new UserError(`--repo ${escapeControls(value)}: ${problem}`, EXIT.usage);
}
