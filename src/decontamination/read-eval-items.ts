import { readText } from "../files/inputs.js";
import { displayName, type InputSource, processSource } from "../files/source.js";
import { UserError } from "../user-error.js";
import type { EvalItem } from "./g3-finding.js";
import { parseEvalItems } from "./parse-eval-items.js";

/** Names of files whose lines are no items. */
const TABLES = /\.(?:csv|tsv|ya?ml)(?:\.gz|\.zst)?$/i;

export interface EvalItemOptions {
  /** Field of the objects that holds the text; by default the first of `EVAL_FIELDS` that does. */
  readonly field?: string | undefined;
}

/**
 * Reads one evaluation set, in any of the forms that `parseEvalItems` knows: at least one item. Gzip
 * is unpacked, and `-` is standard input. The whole text is held in memory (up to 512 MiB).
 *
 * Throws UserError (exit 3) when the file cannot be read or is not UTF-8, and as `parseEvalItems` does.
 */
export async function readEvalItems(
  file: string,
  { field }: EvalItemOptions = {},
  source: InputSource = processSource,
): Promise<EvalItem[]> {
  // Row by row they would be text that no task can match: a gate that is green for nothing.
  if (TABLES.test(file)) {
    throw new UserError(
      `${displayName(file)}: a table or YAML: give JSONL, a JSON array or text lines`,
    );
  }
  return parseEvalItems(await readText(file, source), displayName(file), field);
}
