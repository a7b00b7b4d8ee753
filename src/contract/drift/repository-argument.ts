import { escapeControls, hideCredentials } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import { type Holder, type HolderContext, openHolder } from "./holder.js";
import { openTree } from "./trees/open.js";

/** The location of a repository, and its name if the user gave it. */
interface NamedPlace {
  readonly name: string | undefined;
  /** The location as the user named it. */
  readonly place: string;
}

/** A name that an address or a path is not taken for: before the first `=`. */
const NAMED = /^([A-Za-z0-9_-][A-Za-z0-9_.-]*)=(.+)$/s;

/** Parses `<name>=<place>` or `<place>` for `--repo`. */
export function parseRepository(value: string): NamedPlace {
  const [, name, place] = NAMED.exec(value) ?? [];
  return place === undefined ? { name: undefined, place: value } : { name, place };
}

/** An error in an argument of `--repo`. */
export function repositoryError(value: string, problem: string): UserError {
  return new UserError(`--repo ${escapeControls(value)}: ${problem}`, EXIT.usage);
}

/** A repository that could not be opened. */
interface Unreachable {
  readonly place: string;
  readonly because: string;
}

interface OpenedRepositories {
  readonly opened: readonly Holder[];
  readonly unreachable: readonly Unreachable[];
}

/** Opens the repositories of `--repo`, each with its configuration and lock. One that cannot be opened is left out. */
export function openRepositories(
  named: readonly string[],
  { cwd, ...context }: HolderContext & { readonly cwd: string },
): OpenedRepositories {
  const opened: Holder[] = [];
  const unreachable: Unreachable[] = [];
  for (const value of named) {
    const { name, place } = parseRepository(value);
    try {
      const tree = openTree(place, cwd);
      try {
        opened.push(openHolder(tree, context, name));
      } catch (error) {
        tree.close();
        throw error;
      }
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      unreachable.push({ place: hideCredentials(place), because: error.message });
    }
  }
  return { opened: opened.map((holder) => toDistinct(holder, opened)), unreachable };
}

/** Clones may have remotes of one name: then a repository is called by its place. */
function toDistinct(holder: Holder, all: readonly Holder[]): Holder {
  const isUnique = all.every((other) => other === holder || other.name !== holder.name);
  return isUnique || holder.config !== undefined ? holder : { ...holder, name: holder.tree.name };
}
