import { realpathSync, type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Registry, Repository } from "#generated/index.js";
import { toReadError } from "../../files/source.js";
import { escapeControls } from "../../text.js";
import { UserError } from "../../user-error.js";
import { parseRepository, repositoryError } from "../parse-repository.js";

/** A repository of the registry, and where the user says that it lies. */
export interface NamedRepository {
  readonly repository: Repository;
  /** Absolute. */
  readonly folder: string;
  /** The folder as the user named it. */
  readonly name: string;
}

export interface ReadRepositoriesContext {
  readonly registry: Registry;
  /** The package, or the checkout, from which the copies come: it is none of the repositories. */
  readonly root: string;
  readonly cwd: string;
}

/**
 * The repositories that `--repo <name>=<folder>` names. Throws UserError: exit 2 for a name that the registry does
 * not have, or a repository or a folder that is named twice; exit 3 for a folder that is not there.
 */
export function readRepositories(
  values: readonly string[],
  context: ReadRepositoriesContext,
): NamedRepository[] {
  const named = values.map((value) => readRepository(value, context));
  for (const [index, { repository, folder, name }] of named.entries()) {
    const before = named.slice(0, index);
    if (before.some((other) => other.repository.name === repository.name)) {
      throw repositoryError(repository.name, "is named twice");
    }
    if (before.some((other) => realpathSync(other.folder) === realpathSync(folder))) {
      throw repositoryError(name, "is named for two repositories");
    }
  }
  return named;
}

function readRepository(
  value: string,
  { registry, root, cwd }: ReadRepositoriesContext,
): NamedRepository {
  const { repository, place: name } = parseRepository(value, registry);
  const folder = resolve(cwd, name);
  const found = look(folder, name);
  if (found === undefined) throw new UserError(`${escapeControls(name)}: no such folder`);
  if (!found.isDirectory()) throw new UserError(`${escapeControls(name)}: is no folder`);
  if (realpathSync(folder) === realpathSync(root)) {
    throw repositoryError(name, `is where the copies come from, not ${repository.name}`);
  }
  return { repository, folder, name };
}

function look(folder: string, name: string): Stats | undefined {
  try {
    return statSync(folder, { throwIfNoEntry: false });
  } catch (error) {
    throw toReadError(name, error);
  }
}
