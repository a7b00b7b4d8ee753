import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { EXIT, UserError } from "../user-error.js";
import { displayName, type InputSource, STDIN } from "./input-source.js";
import { directoryError, toReadError } from "./to-read-error.js";

/**
 * Fails before the first file is read when one is missing, a directory, or named twice: nobody
 * should wait for a long run to hear of a typing mistake.
 *
 * Throws UserError: exit 3 for what cannot be read, exit 2 for what is named twice.
 */
export async function requireFiles(files: readonly string[], source: InputSource): Promise<void> {
  const seen = new Set<string>();
  for (const file of files) {
    const identity = file === STDIN ? STDIN : await requireFile(file, resolve(source.cwd, file));
    if (seen.has(identity)) {
      throw new UserError(`${displayName(file)}: named twice; each input is read once`, EXIT.usage);
    }
    seen.add(identity);
  }
}

/** Its inode, by which a file is known under any name, through links too. */
async function requireFile(file: string, path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch((error: unknown) => {
    throw toReadError(file, error);
  });
  if (found.isDirectory()) throw directoryError(file);
  return `${found.dev}:${found.ino}`;
}
