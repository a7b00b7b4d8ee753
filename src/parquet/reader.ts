import {
  type FileMetaData,
  type ParquetParsers,
  parquetMetadataAsync,
  parquetReadObjects,
  type SchemaElement,
} from "hyparquet";
import { escapeControls } from "../text.js";
import { UserError } from "../user-error.js";
import { checkMetadata } from "./check.js";
import { decompressors } from "./codecs.js";
import { findShape, JsonText, printLine, printRow } from "./print-row.js";

/** A file that is read at any place. */
export interface ParquetSource {
  readonly byteLength: number;
  /** The bytes from `start` up to `end`. */
  slice(start: number, end?: number): Promise<ArrayBuffer>;
}

/** A row group with more bytes than this, before compression, is read in parts. Each part skips the pages before it. */
const READ_BYTES = 64 * 2 ** 20;

/** Lines are handed over in pieces of about this size. */
const CHUNK_LENGTH = 2 ** 18;

/** Text that is not UTF-8 is an error, not a text with other characters. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const PARSERS: Partial<ParquetParsers> = {
  stringFromBytes: (bytes) => bytes && utf8.decode(bytes),
  jsonFromBytes: (bytes) => bytes && new JsonText(utf8.decode(bytes)),
};

/** For the statistics of columns, which are not used. They may be cut anywhere. */
const NO_PARSERS: Partial<ParquetParsers> = {
  stringFromBytes: (bytes) => bytes,
  jsonFromBytes: (bytes) => bytes,
};

/** Rows of one row group that are read together. */
interface RowRange {
  readonly start: number;
  readonly end: number;
  /** Where the bytes of its row group end. */
  readonly endByte: number;
}

/**
 * Yields the rows of a Parquet file as lines of JSON, one for each: row 1 is line 1. If the file has only one column, and
 * that is text, its values are the lines. Holds the rows of one row group at a time, or fewer if it is large.
 *
 * `onRange` is called before rows are read, with the number of bytes of the file up to their end. Throws UserError (exit
 * 3) if the file is damaged or uses what is not supported, and rethrows the errors of `source`.
 */
export async function* readParquetLines(
  source: ParquetSource,
  name: string,
  onRange: (endByte: number) => Promise<void> = async () => {},
): AsyncGenerator<Uint8Array> {
  const file = new GuardedSource(source, name);
  const metadata = await file.attempt(() => readMetadata(file));
  const print = createPrinter(metadata);
  let lines: string[] = [];
  let length = 0;
  for (const range of rowRanges(metadata)) {
    await onRange(Math.min(range.endByte, source.byteLength));
    const rows = await file.attempt(() => readRows(file, metadata, range));
    for (const row of rows) {
      const line = print(row);
      lines.push(line, "\n");
      length += line.length;
      if (length < CHUNK_LENGTH) continue;
      yield Buffer.from(lines.join(""));
      lines = [];
      length = 0;
    }
  }
  if (lines.length > 0) yield Buffer.from(lines.join(""));
}

async function readMetadata(file: ParquetSource): Promise<FileMetaData> {
  const metadata = await parquetMetadataAsync(file, { parsers: NO_PARSERS, geoparquet: false });
  checkMetadata(metadata, file.byteLength);
  // Some writers give JSON only the newer of its two types.
  for (const element of metadata.schema) {
    if (element.logical_type?.type === "JSON") element.converted_type = "JSON";
  }
  return metadata;
}

/** Cuts the rows of a file at the row groups, and large ones into parts. */
function* rowRanges({ row_groups: groups }: FileMetaData): Generator<RowRange> {
  let first = 0;
  for (const { num_rows, total_byte_size, columns } of groups) {
    const rows = Number(num_rows);
    const ends = columns.map(({ meta_data: chunk }) => {
      if (chunk === undefined) return 0;
      const start = chunk.dictionary_page_offset ?? chunk.data_page_offset;
      return Number(start + chunk.total_compressed_size);
    });
    const parts = Math.max(1, Math.ceil(Number(total_byte_size) / READ_BYTES));
    const step = Math.max(1, Math.ceil(rows / parts));
    for (let start = 0; start < rows; start += step) {
      const end = Math.min(start + step, rows);
      yield { start: first + start, end: first + end, endByte: Math.max(0, ...ends) };
    }
    first += rows;
  }
}

async function readRows(
  file: ParquetSource,
  metadata: FileMetaData,
  { start, end }: RowRange,
): Promise<readonly Row[]> {
  return await parquetReadObjects({
    file,
    metadata,
    rowStart: start,
    rowEnd: end,
    compressors: decompressors,
    parsers: PARSERS,
    geoparquet: false,
    useOffsetIndex: true,
  });
}

type Row = Readonly<Record<string, unknown>>;

function createPrinter({ schema: [root, ...elements] }: FileMetaData): (row: Row) => string {
  const [only, ...others] = elements;
  if (only?.type === "BYTE_ARRAY" && others.length === 0) return (row) => printLine(row[only.name]);
  const shape = findShape(listColumns(elements, root?.num_children ?? 0));
  const isUntyped = elements.every((element) => element.converted_type !== "JSON");
  return (row) => printRow(row, shape, isUntyped);
}

/** The names of the first `count` elements, without those inside them. */
function listColumns(elements: readonly SchemaElement[], count: number): string[] {
  const names: string[] = [];
  let index = 0;
  const skip = (): void => {
    const inside = elements[index]?.num_children ?? 0;
    index += 1;
    for (let child = 0; child < inside && index < elements.length; child += 1) skip();
  };
  while (names.length < count && index < elements.length) {
    names.push(elements[index]?.name ?? "");
    skip();
  }
  return names;
}

/** A file whose own errors are told from those of what is in it. */
class GuardedSource implements ParquetSource {
  readonly #source: ParquetSource;
  readonly #name: string;
  #failure: unknown;

  constructor(source: ParquetSource, name: string) {
    this.#source = source;
    this.#name = name;
  }

  get byteLength(): number {
    return this.#source.byteLength;
  }

  slice(start: number, end = this.byteLength): Promise<ArrayBuffer> {
    const bytes = this.#read(start, end);
    // The reader asks for all columns at once. If one fails, nobody awaits the others.
    bytes.catch(() => {});
    return bytes;
  }

  /** Runs a step of reading. Throws UserError (exit 3) if the content is at fault. */
  async attempt<Result>(run: () => Promise<Result>): Promise<Result> {
    try {
      return await run();
    } catch (error) {
      if (this.#failure !== undefined) throw this.#failure;
      const reason =
        error instanceof Error ? error.message.replace(/^parquet /, "") : String(error);
      throw new UserError(`${this.#name}: cannot be read as Parquet: ${escapeControls(reason)}`);
    }
  }

  async #read(start: number, end: number): Promise<ArrayBuffer> {
    if (!(start >= 0 && start <= end && end <= this.byteLength)) {
      throw new RangeError("it refers to bytes outside the file");
    }
    try {
      return await this.#source.slice(start, end);
    } catch (error) {
      this.#failure ??= error;
      throw error;
    }
  }
}
