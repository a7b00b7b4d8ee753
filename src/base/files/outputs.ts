import { lstat, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { EXIT, UserError } from "../user-error.js";
import { identifyFile, STDIN } from "./source.js";

/**
 * Resolves outputs to absolute paths, in the same order, following symbolic links.
 *
 * Throws UserError (exit 2) if an output exists and is not a regular file, if its folder does not exist, if two
 * outputs are the same file, or if one is also an input.
 */
export async function resolveOutputs(
  outputs: readonly string[],
  inputs: readonly string[],
  cwd: string,
): Promise<string[]> {
  const inputFiles = inputs.filter((file) => file !== STDIN).map((file) => resolve(cwd, file));
  const inputIdentities = new Set(await Promise.all(inputFiles.map(identifyFile)));
  const identities = new Set<string>();
  const paths: string[] = [];
  for (const output of outputs) {
    const path = await resolveOutput(output, cwd);
    const identity = await identifyFile(path);
    if (inputIdentities.has(identity)) throw usageError(output, "is also an input");
    if (identities.has(identity)) throw usageError(output, "is given for two outputs");
    identities.add(identity);
    paths.push(path);
  }
  return paths;
}

async function resolveOutput(output: string, cwd: string): Promise<string> {
  if (output === STDIN) throw usageError(output, "this command writes files: name one");
  if (output.endsWith("/")) throw usageError(output, "names a folder");
  const path = resolve(cwd, output);
  const existing = await stat(path).catch(() => undefined);
  const link = await lstat(path).catch(() => undefined);
  if (existing === undefined && link !== undefined) throw usageError(output, "is a broken link");
  if (existing?.isFile() === false) throw usageError(output, "is not a regular file");
  try {
    return existing ? await realpath(path) : join(await realpath(dirname(path)), basename(path));
  } catch {
    throw usageError(output, "its folder does not exist");
  }
}

/** Throws UserError (exit 2) if the name of a file says that its records are stored in another way than as plain text. */
export function requirePlainName(output: string): void {
  const [ending] = /\.(?:parquet|gz|zst)$/i.exec(output) ?? [];
  if (ending === undefined) return;
  const where = "only a dataset folder has other forms: export --output-dir";
  throw usageError(output, `plain text is written, so it cannot end in ${ending} (${where})`);
}

function usageError(output: string, problem: string): UserError {
  return new UserError(`output ${output}: ${problem}`, EXIT.usage);
}
