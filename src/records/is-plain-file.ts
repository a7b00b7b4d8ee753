import { open, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type InputSource, STDIN } from "./input-source.js";
import { findPacking, HEAD_LENGTH } from "./packing.js";
import { toReadError } from "./to-read-error.js";

/**
 * Whether an input is a regular file that holds its bytes as they are, so that any line of it can be
 * read again; standard input, pipes and packed files are not. Throws UserError (exit 3) when it cannot
 * be read.
 */
export async function isPlainFile(file: string, { cwd }: InputSource): Promise<boolean> {
  if (file === STDIN) return false;
  const path = resolve(cwd, file);
  try {
    // Reading from a pipe would take away what is read.
    if (!(await stat(path)).isFile()) return false;
    const handle = await open(path);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_LENGTH), 0, HEAD_LENGTH, 0);
      return findPacking(buffer.subarray(0, bytesRead)) === undefined;
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw toReadError(file, error);
  }
}
