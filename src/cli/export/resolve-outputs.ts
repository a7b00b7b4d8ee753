import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { STDIN } from "../../records/input-source.js";
import { EXIT, UserError } from "../../user-error.js";

/** The two files of an export. */
export interface OutputPaths {
  readonly dpo: string;
  readonly ppo: string;
}

/**
 * Absolute paths of the outputs, through symbolic links.
 *
 * Throws UserError (exit 2) when an output is no regular file, when its folder does not exist, when
 * both outputs are the same file, or when one is also an input.
 */
export async function resolveOutputs(
  outputs: OutputPaths,
  inputs: readonly string[],
  cwd: string,
): Promise<OutputPaths> {
  const inputFiles = inputs.filter((file) => file !== STDIN).map((file) => resolve(cwd, file));
  const inputIdentities = await Promise.all(inputFiles.map(identifyFile));
  const dpo = await resolveOutput(outputs.dpo, cwd);
  const ppo = await resolveOutput(outputs.ppo, cwd);
  const dpoIdentity = await identifyFile(dpo);
  const ppoIdentity = await identifyFile(ppo);
  if (inputIdentities.includes(dpoIdentity)) throw usageError(outputs.dpo, "is also an input");
  if (inputIdentities.includes(ppoIdentity)) throw usageError(outputs.ppo, "is also an input");
  if (dpoIdentity === ppoIdentity) throw usageError(outputs.ppo, "is named for both outputs");
  return { dpo, ppo };
}

async function resolveOutput(output: string, cwd: string): Promise<string> {
  if (output === STDIN) throw usageError(output, "an export writes files: name one");
  const path = resolve(cwd, output);
  const existing = await stat(path).catch(() => undefined);
  if (existing?.isFile() === false) throw usageError(output, "is not a regular file");
  try {
    return existing ? await realpath(path) : join(await realpath(dirname(path)), basename(path));
  } catch {
    throw usageError(output, "its folder does not exist");
  }
}

/** Tells an existing file by its inode, whatever it is called, and another one by its path. */
async function identifyFile(path: string): Promise<string> {
  const existing = await stat(path, { bigint: true }).catch(() => undefined);
  return existing ? `${existing.dev}:${existing.ino}` : path;
}

function usageError(output: string, problem: string): UserError {
  return new UserError(`output ${output}: ${problem}`, EXIT.usage);
}
