import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { glob, isDynamicPattern } from "tinyglobby";
import { UserError } from "../user-error.js";
import { type InputSource, STDIN } from "./input-source.js";

/** What a folder is searched for, in all of its folders, unless something else is asked for. */
const RECORD_FILES: readonly string[] = ["**/*.jsonl", "**/*.jsonl.gz", "**/*.jsonl.zst"];

/**
 * The files that are meant by names of files, folders and glob patterns, `-` being standard input. A
 * name that exists is that file, whatever characters it has. Those of a folder or pattern come in the
 * order of their paths, by code unit. Folders are searched for `patterns`.
 *
 * Throws UserError (exit 3) for a folder without record files, and for a pattern that matches nothing:
 * whoever gave it, meant something.
 */
export async function expandInputs(
  inputs: readonly string[],
  { cwd }: Pick<InputSource, "cwd">,
  patterns: readonly string[] = RECORD_FILES,
): Promise<string[]> {
  const named = new Set(inputs.map((input) => resolve(cwd, input)));
  const files: string[] = [];
  for (const input of inputs) {
    const found = await expandInput(input, cwd, patterns);
    // What is searched for is read once, however often it is found.
    const isNew = (file: string) => file === input || !named.has(resolve(cwd, file));
    for (const file of found.filter(isNew)) {
      named.add(resolve(cwd, file));
      files.push(file);
    }
  }
  return files;
}

async function expandInput(
  input: string,
  cwd: string,
  patterns: readonly string[],
): Promise<string[]> {
  if (input === STDIN) return [input];
  const found = await stat(resolve(cwd, input)).catch(() => undefined);
  if (found?.isDirectory()) {
    const names = await glob(patterns, { cwd: resolve(cwd, input) });
    if (names.length > 0) return names.toSorted().map((name) => join(input, name));
    throw new UserError(`${input}: holds no ${patterns.join(", ")}`);
  }
  // What is not there is named by whoever tries to read it.
  if (found !== undefined || !isDynamicPattern(input)) return [input];
  const names = await glob(input, { cwd, expandDirectories: false });
  if (names.length > 0) return names.toSorted();
  throw new UserError(`${input}: matches no file`);
}
