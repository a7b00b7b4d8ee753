import { escapeControls } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";

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
