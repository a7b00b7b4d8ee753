import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { expandInputs, requireFiles } from "../../../base/files/inputs.js";
import type { InputSource } from "../../../base/files/source.js";
import { UserError } from "../../../base/user-error.js";
import { type Form, packed } from "./forms/form.js";
import { forms } from "./forms/index.js";
import { rows } from "./forms/rows.js";

/** Files that may be logs: rows, and where there are none, documents, too. */
const ANY_FILES = [...rows.files, ...packed("**/*.json")];
const ANY_LOGS = [rows.files, ANY_FILES];

/**
 * Expands names of files, folders and patterns to logs. In a folder, these are the files of the form. If none is named,
 * files whose names say what they are come first: others are looked for only where there are none of these, because a job's
 * folder also holds what else its agents wrote.
 *
 * Throws UserError: exit 3 if an input cannot be read, exit 2 if it is named twice.
 */
export async function findLogs(
  names: readonly string[],
  source: InputSource,
  form: Form | undefined,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of names) {
    const isDirectory = await isFolder(name, source);
    const tried = form ? [form.files] : isDirectory ? [listOwnFiles(), ...ANY_LOGS] : ANY_LOGS;
    found.push(...(await expandFirst(name, source, tried)));
  }
  const files = [...new Set(found)];
  await requireFiles(names.length === 1 ? files : found, source);
  return files;
}

/** Tells whether a folder among the names has files whose names say that they are logs, or only documents. */
export async function haveLogFolder(
  names: readonly string[],
  source: InputSource,
): Promise<boolean> {
  for (const name of names) {
    if (!(await isFolder(name, source))) continue;
    const has = async (patterns: readonly string[]): Promise<boolean> =>
      (await expandInputs([name], source, { patterns }).catch(() => [])).length > 0;
    if (await has(listOwnFiles())) return true;
    if (!(await has(rows.files)) && (await has(ANY_FILES))) return true;
  }
  return false;
}

/** Patterns of the files of forms that are more than rows. */
function listOwnFiles(): readonly string[] {
  return forms.flatMap(({ files }) => files).filter((file) => !rows.files.includes(file));
}

async function isFolder(name: string, { cwd }: InputSource): Promise<boolean> {
  return (await stat(resolve(cwd, name)).catch(() => undefined))?.isDirectory() === true;
}

async function expandFirst(
  name: string,
  source: InputSource,
  [patterns = [], ...others]: readonly (readonly string[])[],
): Promise<readonly string[]> {
  try {
    return await expandInputs([name], source, { patterns });
  } catch (error) {
    if (others.length === 0 || !(error instanceof UserError)) throw error;
    return await expandFirst(name, source, others);
  }
}
