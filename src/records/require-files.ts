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
    const path = file === STDIN ? STDIN : resolve(source.cwd, file);
    if (seen.has(path)) {
      throw new UserError(`${displayName(file)}: named twice; each input is read once`, EXIT.usage);
    }
    seen.add(path);
    if (file !== STDIN) await requireFile(file, path);
  }
}

async function requireFile(file: string, path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    throw toReadError(file, error);
  });
  if (found.isDirectory()) throw directoryError(file);
}
