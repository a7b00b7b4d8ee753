import { constants } from "node:buffer";
import { readFile } from "node:fs/promises";
import { UserError } from "../user-error.js";
import type { EvalItem } from "./eval-item.js";
import { parseEvalItems } from "./parse-eval-items.js";

export interface EvalItemOptions {
  /** Field of the objects that holds the text (`--eval-field`); by default one of `EVAL_FIELDS`. */
  readonly field?: string;
}

/**
 * Reads one evaluation set, in any of the forms that `parseEvalItems` knows. UTF-8, with or without
 * a byte-order mark. The whole file is held in memory (up to 512 MB).
 *
 * @returns at least one item
 * @throws UserError (exit 3) if the file cannot be read or is not UTF-8, or as `parseEvalItems` does
 */
export async function readEvalItems(
  path: string,
  { field }: EvalItemOptions = {},
): Promise<EvalItem[]> {
  const bytes = await readBytes(path);
  if (bytes.length > constants.MAX_STRING_LENGTH) {
    throw new UserError(`${path}: an evaluation set above 512 MB; give it in several files`);
  }
  return parseEvalItems(decode(bytes, path), path, field);
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new UserError(`${path}: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
  if (code === "ENOENT") return "no such file of evaluation items";
  if (code === "EISDIR") return "a directory, not a file of evaluation items";
  return `evaluation items cannot be read (${code})`;
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UserError(`${path}: evaluation items must be UTF-8 text, and this is not`);
  }
}
