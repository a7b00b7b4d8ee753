import type { InputSource } from "../../../base/files/source.js";
import { NonFiniteParser } from "../../../base/json/non-finite.js";
import { FileBlocks } from "../../../base/jsonl/file-blocks.js";
import { toRecordLine } from "../../../base/jsonl/reader.js";
import type { Explanation, RowExplainer } from "./sources/source.js";
import { readUnits } from "./units.js";

/** Number of rows that are explained: enough to show a layout, and read in less than a second. */
export const EXPLAINED_ROWS = 1000;

/** An explanation, and how far it goes. */
export interface FileExplanation extends Explanation {
  /** Whether the files have more rows. */
  readonly hasMore: boolean;
  /** Number of lines that contain no JSON object. */
  readonly unreadable: number;
}

/** Explains the first rows of files. Throws UserError (exit 3) if a file cannot be read. */
export async function explainFiles(
  files: readonly string[],
  explainer: RowExplainer,
  source: InputSource,
): Promise<FileExplanation> {
  const parser = new NonFiniteParser();
  let lines = 0;
  let unreadable = 0;
  for await (const unit of readUnits(new FileBlocks(files, source).read(), false)) {
    if (lines === EXPLAINED_ROWS) return { ...explainer.explain(), hasMore: true, unreadable };
    lines += 1;
    const line = toRecordLine(unit.file, unit.source, (text) => parser.parse(text));
    if ("value" in line) explainer.add(line.value);
    else unreadable += 1;
  }
  return { ...explainer.explain(), hasMore: false, unreadable };
}
