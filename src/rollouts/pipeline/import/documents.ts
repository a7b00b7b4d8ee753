import { constants } from "node:buffer";
import { blockLines, type LineBlock, type SourceLine } from "../../../base/jsonl/blocks.js";
import type { FileBlock } from "../../../base/jsonl/file-blocks.js";

/** The records in a ZIP archive that is a log: Inspect's are one. */
export const LOG_ENTRIES = /^samples\/[^/]+\.json$/;

const NEWLINE = 0x0a;
/** Last characters of a first line after which a JSON text must continue on the next line. */
const OPEN_ENDS: readonly (string | undefined)[] = ["{", "[", ","];

/** A block of lines, or all lines of a file. */
export interface GatheredBlock extends FileBlock {
  /** Whether it is the whole file. */
  readonly isWhole: boolean;
}

/**
 * Joins the blocks of each file for which `isWhole` says so of its first block. The bytes of a file that is then too long
 * to be a string are undefined.
 */
export async function* gatherFiles(
  blocks: AsyncIterable<FileBlock>,
  isWhole: (first: FileBlock) => boolean,
): AsyncGenerator<GatheredBlock> {
  let gathered: GatheredFile | undefined;
  let latest: Pick<FileBlock, "input" | "file"> | undefined;
  for await (const item of blocks) {
    if (item.input !== latest?.input || item.file !== latest.file) {
      if (gathered) yield gathered.finish();
      gathered = isWhole(item) ? new GatheredFile(item) : undefined;
      latest = item;
    }
    if (gathered) gathered.add(item.block);
    else yield { ...item, isWhole: false };
  }
  if (gathered) yield gathered.finish();
}

/** Tells by its first block whether a file is one JSON text of several lines: its first line is only the beginning of it. */
export function beginsDocument({ block }: FileBlock): boolean {
  const [first] = blockLines(block);
  const end = first?.bytes?.toString("latin1").trimEnd().at(-1);
  return OPEN_ENDS.includes(end) && block.bytes?.includes(NEWLINE) === true;
}

class GatheredFile {
  readonly #first: FileBlock;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(first: FileBlock) {
    this.#first = first;
  }

  add({ bytes }: LineBlock): void {
    this.#length += bytes?.length ?? Number.POSITIVE_INFINITY;
    // A file that is too long to be a string is not kept. It is reported as too long.
    if (this.#length > constants.MAX_STRING_LENGTH) this.#chunks.length = 0;
    else if (bytes) this.#chunks.push(bytes);
  }

  finish(): GatheredBlock {
    const { input, file } = this.#first;
    const isTooLong = this.#length > constants.MAX_STRING_LENGTH;
    const bytes = isTooLong ? undefined : joinBytes(this.#chunks, this.#length);
    const { offset } = this.#first.block;
    return { input, file, block: { line: 1, offset, bytes }, isWhole: true };
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

/** A whole file as one text, without its byte-order mark. `stored`: undefined if it is too long to be a string. */
export function wholeSource(stored: Uint8Array | undefined, offset = 0): SourceLine {
  const all = Buffer.from(stored?.buffer ?? new ArrayBuffer(0), stored?.byteOffset, stored?.length);
  return { line: 1, offset, stored: all, bytes: stored && withoutMark(all) };
}

const BYTE_ORDER_MARK = Buffer.from("\ufeff", "utf8");

function withoutMark(bytes: Buffer): Buffer {
  const head = bytes.subarray(0, BYTE_ORDER_MARK.length);
  return head.equals(BYTE_ORDER_MARK) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
}
