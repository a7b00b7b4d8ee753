import { constants } from "node:buffer";
import type { RowCodec } from "../../../base/files/row-log.js";
import { blockLines, type LineBlock, type SourceLine } from "../../../base/jsonl/blocks.js";
import type { FileBlock } from "../../../base/jsonl/file-blocks.js";
import type { BranchFacts } from "../../wire/validation/rules/rule.js";
import { type LinePosition, positionCodec } from "../positions.js";

/** One record of a log: a line of JSONL, or a whole file. */
export interface LogUnit {
  /** Index of the file among the inputs. */
  readonly input: number;
  /** The file as the user named it, or `<stdin>`. */
  readonly file: string;
  readonly source: SourceLine;
  /** True if it is a whole file of several lines. */
  readonly isDocument: boolean;
}

const NEWLINE = 0x0a;
/** Last characters of a first line after which a JSON text must continue on the next line. */
const OPEN_ENDS: readonly (string | undefined)[] = ["{", "[", ","];

/**
 * Yields the records of files, given as blocks of lines. With `documents`, a file whose first line is only the
 * beginning of a JSON text is one record, which must fit into memory.
 */
export async function* readUnits(
  blocks: AsyncIterable<FileBlock>,
  documents: boolean,
): AsyncGenerator<LogUnit> {
  for await (const { input, file, block, isDocument } of gatherDocuments(blocks, documents)) {
    if (isDocument) yield documentUnit(input, file, block.bytes);
    else {
      for (const source of blockLines(block)) yield { input, file, source, isDocument };
    }
  }
}

/** A block of lines, or all lines of a file that is one JSON document. */
export interface GatheredBlock extends FileBlock {
  readonly isDocument: boolean;
}

/**
 * Joins the blocks of each file that is one JSON document of several lines: its first line is only the beginning of
 * a JSON text. The bytes of a document that is too long to be a string are undefined. Without `documents`, there is
 * none.
 */
export async function* gatherDocuments(
  blocks: AsyncIterable<FileBlock>,
  documents: boolean,
): AsyncGenerator<GatheredBlock> {
  let gathered: GatheredDocument | undefined;
  let latest: number | undefined;
  for await (const item of blocks) {
    if (item.input !== latest) {
      if (gathered) yield gathered.finish();
      gathered = documents && beginsDocument(item.block) ? new GatheredDocument(item) : undefined;
      latest = item.input;
    }
    if (gathered) gathered.add(item.block);
    else yield { ...item, isDocument: false };
  }
  if (gathered) yield gathered.finish();
}

function beginsDocument(block: LineBlock): boolean {
  const [first] = blockLines(block);
  const end = first?.bytes?.toString("latin1").trimEnd().at(-1);
  return OPEN_ENDS.includes(end) && block.bytes?.includes(NEWLINE) === true;
}

class GatheredDocument {
  readonly #first: FileBlock;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(first: FileBlock) {
    this.#first = first;
  }

  add({ bytes }: LineBlock): void {
    this.#length += bytes?.length ?? Number.POSITIVE_INFINITY;
    // A document that is too long to be a string is not kept. It is reported as too long.
    if (this.#length > constants.MAX_STRING_LENGTH) this.#chunks.length = 0;
    else if (bytes) this.#chunks.push(bytes);
  }

  finish(): GatheredBlock {
    const { input, file } = this.#first;
    const isTooLong = this.#length > constants.MAX_STRING_LENGTH;
    const bytes = isTooLong ? undefined : joinBytes(this.#chunks, this.#length);
    return { input, file, block: { line: 1, offset: 0, bytes }, isDocument: true };
  }
}

/** Joins chunks of `length` bytes in all in a buffer of their own, which can be transferred. */
function joinBytes(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(length);
  let end = 0;
  for (const chunk of chunks) {
    joined.set(chunk, end);
    end += chunk.length;
  }
  return joined;
}

/** A whole file as a record. `stored` contains its bytes; undefined if they are too long to be a string. */
export function documentUnit(input: number, file: string, stored: Uint8Array | undefined): LogUnit {
  const all = Buffer.from(stored?.buffer ?? new ArrayBuffer(0), stored?.byteOffset, stored?.length);
  const source = { line: 1, offset: 0, stored: all, bytes: stored && withoutMark(all) };
  return { input, file, source, isDocument: true };
}

const BYTE_ORDER_MARK = Buffer.from("\ufeff", "utf8");

function withoutMark(bytes: Buffer): Buffer {
  const head = bytes.subarray(0, BYTE_ORDER_MARK.length);
  return head.equals(BYTE_ORDER_MARK) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
}

/** An imported branch: the facts that rollout rules need, and the position of its record. */
export interface ImportRow extends LinePosition, BranchFacts {
  /** Second hash of its rollout_id: the hashes of two ids may collide. */
  readonly otherHash: number;
  /** Hash of the task. */
  readonly task: number;
  /** Index among the imported branches, from 0. */
  readonly ordinal: number;
  readonly isDocument: boolean;
}

/** Encodes import rows as numbers: the position first, then the rest. */
export const importCodec: RowCodec<ImportRow> = {
  width: positionCodec.width + 5,
  toNumbers: (row) => [
    ...positionCodec.toNumbers(row),
    row.otherHash,
    row.branchIndex,
    row.task,
    row.ordinal,
    Number(row.isDocument),
  ],
  fromNumbers: (numbers, at) => ({
    ...positionCodec.fromNumbers(numbers, at),
    otherHash: numbers[at + positionCodec.width] ?? 0,
    branchIndex: numbers[at + positionCodec.width + 1] ?? 0,
    task: numbers[at + positionCodec.width + 2] ?? 0,
    ordinal: numbers[at + positionCodec.width + 3] ?? 0,
    isDocument: numbers[at + positionCodec.width + 4] === 1,
    rank: undefined,
    totalScore: undefined,
  }),
};
