import { dirname, join, relative, resolve, sep } from "node:path";
import { isRereadable } from "../../base/files/inputs.js";
import { displayName, type InputSource, STDIN } from "../../base/files/source.js";
import type { LineRun } from "../../base/run/run-lines.js";
import { EXIT, UserError } from "../../base/user-error.js";

/** The outputs as the user named them. */
export interface OutputChoice {
  /** One file for all records. */
  readonly output: string | undefined;
  /** A folder with a file for each input. */
  readonly folder: string | undefined;
  /** Whether the inputs themselves are rewritten. */
  readonly inPlace: boolean;
}

/** One of `--output`, `--output-dir` and `--in-place`. Throws UserError (exit 2) unless it is exactly one. */
export function requireOneOutput({ output, folder, inPlace }: OutputChoice): void {
  const given = [output !== undefined, folder !== undefined, inPlace].filter(Boolean);
  if (given.length === 1) return;
  throw new UserError("give one of --output FILE, --output-dir FOLDER and --in-place", EXIT.usage);
}

/**
 * Plans and locks the outputs. Returns their absolute paths: that of the only one, or one for each input. Throws UserError:
 * exit 2 if one cannot be written or is also an input, exit 3 if an input cannot be read.
 */
export async function lockOutputs(
  run: LineRun,
  files: readonly string[],
  { output, folder, inPlace }: OutputChoice,
): Promise<string[]> {
  if (inPlace) {
    for (const file of files) await requirePlain(file, run.source);
    return await run.lock(files, { inputs: [], isStored: true });
  }
  if (folder === undefined) return await run.lock([output ?? ""]);
  const { cwd } = run.source;
  const names = placeIn(folder, files, cwd);
  run.staging.makeFolders(names.map((name) => dirname(resolve(cwd, name))));
  return await run.lock(names);
}

/** Only a file that nothing compresses can be rewritten as it was. */
async function requirePlain(file: string, source: InputSource): Promise<void> {
  if (await isRereadable(file, source)) return;
  const what = file === STDIN ? "is no file" : "is compressed, or is no regular file";
  throw new UserError(
    `${displayName(file)}: ${what}, so that --in-place cannot rewrite it: use --output`,
    EXIT.usage,
  );
}

/** The outputs in a folder: inputs by their path from the folder that they share, as plain JSONL. */
function placeIn(folder: string, files: readonly string[], cwd: string): string[] {
  if (files.includes(STDIN)) {
    throw new UserError(
      "--output-dir cannot name the output of standard input: use --output",
      EXIT.usage,
    );
  }
  const paths = files.map((file) => resolve(cwd, file));
  const shared = paths.map(dirname).reduce(sharedFolder);
  const names = paths.map((path) => relative(shared, path).replace(/\.(gz|zst)$/, ""));
  return names.map((name) => join(folder, name.replace(/\.parquet$/, ".jsonl")));
}

function sharedFolder(one: string, other: string): string {
  const [parts, others] = [one.split(sep), other.split(sep)];
  const differ = parts.findIndex((part, index) => part !== others[index]);
  return (differ < 0 ? parts : parts.slice(0, differ)).join(sep) || sep;
}
