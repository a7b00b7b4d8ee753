import type { Registry, Repository } from "#generated/index.js";
import { escapeControls, suggestName } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";

/** The location of a repository, and its name in the registry if the user gave it. */
interface NamedPlace {
  readonly repository: Repository | undefined;
  /** The location as the user named it. */
  readonly place: string;
}

/**
 * Parses `<name>=<place>` or `<place>` for `--repo`. Throws UserError (exit 2) if the name is not in the registry.
 */
export function parseRepository(value: string, { repositories }: Registry): NamedPlace {
  const names = repositories.map(({ name }) => name);
  const [, id, place] = /^([^=]+)=(.+)$/s.exec(value) ?? [];
  if (id === undefined || place === undefined) return { repository: undefined, place: value };
  const repository = repositories.find(({ name }) => name === id);
  if (repository !== undefined) return { repository, place };
  throw repositoryError(id, `not in the registry${suggestName(id, names)}`);
}

/** The problem of a place without a name. */
export const UNNAMED_REPOSITORY =
  "nothing names this repository: write NAME=<place>, with a name of the registry, or a configuration (docs/consumers.md)";

/** An error in an argument of `--repo`. */
export function repositoryError(value: string, problem: string): UserError {
  return new UserError(`--repo ${escapeControls(value)}: ${problem}`, EXIT.usage);
}
