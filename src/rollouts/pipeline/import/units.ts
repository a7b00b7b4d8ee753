import type { RowCodec } from "../../../base/files/row-log.js";
import { blockLines, type SourceLine } from "../../../base/jsonl/blocks.js";
import type { FileBlock } from "../../../base/jsonl/file-blocks.js";
import type { BranchFacts } from "../../wire/validation/rules/rule.js";
import { type LinePosition, positionCodec } from "../positions.js";
import { beginsDocument, gatherFiles, wholeSource } from "./documents.js";
import type { FileForms } from "./file-forms.js";
import type { WrittenLine } from "./output.js";
import type { ImportReader, RecordPlace } from "./reader.js";

/** How a text lies in its file: it is one line, the whole file, or the whole file with a JSON text in each line. */
export const LAYOUTS = ["line", "document", "joined"] as const;

export type Layout = (typeof LAYOUTS)[number];

/** One text of a log, which has one or more records. */
export interface LogUnit {
  /** Index of the file among the inputs. */
  readonly input: number;
  /** The file as the user named it, or `<stdin>`. */
  readonly file: string;
  readonly source: SourceLine;
  readonly layout: Layout;
  readonly reader: ImportReader;
  readonly place: RecordPlace;
}

/**
 * Yields the texts of files, given as blocks of lines, with the readers of their forms. A file whose first line is only the
 * beginning of a JSON text is one text, and so is one whose form joins its lines. Such a file must fit into memory.
 */
export async function* readUnits(
  blocks: AsyncIterable<FileBlock>,
  forms: FileForms,
): AsyncGenerator<LogUnit> {
  let isDocument = false;
  const isWhole = (first: FileBlock): boolean => {
    isDocument = beginsDocument(first);
    return isDocument || forms.chooseByLines(first)?.joinsLines === true;
  };
  for await (const { isWhole: isOne, ...item } of gatherFiles(blocks, isWhole)) {
    const { input, file, block } = item;
    const chosen = isDocument ? forms.chooseByDocument(item) : forms.chooseByLines(item);
    if (chosen === undefined) continue;
    const layout = isDocument ? "document" : isOne ? "joined" : "line";
    const sources = isOne ? [wholeSource(block.bytes, block.offset)] : blockLines(block);
    for (const source of sources) yield { input, file, source, layout, ...chosen };
  }
}

/** An imported branch: the facts that rollout rules need, and the position of its record. */
export interface ImportRow extends LinePosition, BranchFacts {
  /** Second hash of its rollout_id: the hashes of two ids may collide. */
  readonly otherHash: number;
  /** Hash of the task. */
  readonly task: number;
  /** Index among the imported branches, from 0. */
  readonly ordinal: number;
  readonly layout: Layout;
  /** Index among the records of its text, from 0. */
  readonly part: number;
  /** Where its branch was written. */
  readonly written: WrittenLine;
}

/** Encodes import rows as numbers: the position first, then the rest. */
export const importCodec: RowCodec<ImportRow> = {
  width: positionCodec.width + 8,
  toNumbers: (row) => [
    ...positionCodec.toNumbers(row),
    row.otherHash,
    row.branchIndex,
    row.task,
    row.ordinal,
    LAYOUTS.indexOf(row.layout),
    row.part,
    row.written.start,
    row.written.length,
  ],
  fromNumbers: (numbers, at) => ({
    ...positionCodec.fromNumbers(numbers, at),
    otherHash: numbers[at + positionCodec.width] ?? 0,
    branchIndex: numbers[at + positionCodec.width + 1] ?? 0,
    task: numbers[at + positionCodec.width + 2] ?? 0,
    ordinal: numbers[at + positionCodec.width + 3] ?? 0,
    layout: LAYOUTS[numbers[at + positionCodec.width + 4] ?? 0] ?? "line",
    part: numbers[at + positionCodec.width + 5] ?? 0,
    written: {
      start: numbers[at + positionCodec.width + 6] ?? 0,
      length: numbers[at + positionCodec.width + 7] ?? 0,
    },
    rank: undefined,
    totalScore: undefined,
  }),
};
