import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { expandInputs, requireFiles } from "../../../base/files/inputs.js";
import type { InputSource } from "../../../base/files/source.js";
import { UserError } from "../../../base/user-error.js";
import type { Form } from "./forms/form.js";
import { forms } from "./forms/index.js";
import { rows } from "./forms/rows.js";

/**
 * Expands names of files, folders and patterns to logs. In a folder, these are the files of the form. If none is named,
 * files whose names say what they are come first: rows are looked for only where there are none of these, because a job's
 * folder also holds what else its agents wrote.
 *
 * Throws UserError: exit 3 if an input cannot be read, exit 2 if it is named twice.
 */
export async function findLogs(
  names: readonly string[],
  source: InputSource,
  form: Form | undefined,
): Promise<readonly string[]> {
  const own = forms.flatMap(({ files }) => files).filter((file) => !rows.files.includes(file));
  const found: string[] = [];
  for (const name of names) {
    const isFolder = (await stat(resolve(source.cwd, name)).catch(() => undefined))?.isDirectory();
    const tried = form ? [form.files] : isFolder ? [own, rows.files] : [rows.files];
    found.push(...(await expandFirst(name, source, tried)));
  }
  const files = [...new Set(found)];
  await requireFiles(names.length === 1 ? files : found, source);
  return files;
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
