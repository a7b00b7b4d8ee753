import type { InputSource } from "../../../base/files/source.js";
import { FileBlocks } from "../../../base/jsonl/file-blocks.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { LOG_ENTRIES } from "./documents.js";
import { FileForms, type FormChoice } from "./file-forms.js";
import { readText } from "./read-text.js";
import { type Explanation, type RowExplainer, splitRecords } from "./reader.js";
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
  choice: FormChoice,
  source: InputSource,
): Promise<FileExplanation> {
  const forms = new FileForms(choice, source, (file, { message }) => {
    throw new UserError(`${file}: ${message}`);
  });
  let lines = 0;
  let unreadable = 0;
  let explainer: RowExplainer | undefined;
  for await (const unit of readUnits(
    new FileBlocks(files, source, { entries: LOG_ENTRIES }).read(),
    forms,
  )) {
    if (explainer === undefined) explainer = unit.reader.createExplainer?.();
    if (explainer === undefined) {
      throw new UserError(`--explain-map explains rows, and ${unit.file} has none`, EXIT.usage);
    }
    const read = readText(unit);
    const parts = read.fault
      ? []
      : (unit.reader.split?.(read.value, unit.place) ?? splitRecords(read.value));
    if (parts.length === 0) unreadable += 1;
    for (const { value } of parts) {
      if (lines === EXPLAINED_ROWS) return { ...explainer.explain(), hasMore: true, unreadable };
      lines += 1;
      explainer.add(value);
    }
  }
  if (explainer !== undefined) return { ...explainer.explain(), hasMore: false, unreadable };
  throw new UserError("--explain-map: the files have no rows");
}
