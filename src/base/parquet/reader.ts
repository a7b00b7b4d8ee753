import {
  type FileMetaData,
  type ParquetParsers,
  parquetMetadata,
  type RowGroup,
  type SchemaElement,
} from "hyparquet";
import { checkMetadata, chunkRange } from "./check.js";
import { type Row, RowGroupReader } from "./decode/row-group.js";
import { readThrift } from "./decode/thrift.js";
import { findShape, JsonText, printLine, printRow } from "./print-row.js";
import { GuardedSource, type ParquetSource } from "./source.js";

/** A Parquet file ends with the length of its footer, and `PAR1`. */
const TAIL_BYTES = 8;

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

/**
 * Yields the rows of a Parquet file as lines of JSON, one for each: row 1 is line 1. If the file has only one column, and
 * that is text, its values are the lines. Holds one page of each column at a time.
 *
 * `onGroup` is called before each row group is read, with the number of bytes of the file up to its end. Throws UserError
 * (exit 3) if the file is damaged or uses what is not supported, and rethrows the errors of `source`.
 */
export async function* readParquetLines(
  source: ParquetSource,
  name: string,
  onGroup: (endByte: number) => Promise<void> = async () => {},
): AsyncGenerator<Uint8Array> {
  const file = new GuardedSource(source, name);
  const metadata = await file.attempt(() => readMetadata(file));
  const print = createPrinter(metadata);
  for (const group of metadata.row_groups) {
    await onGroup(endOf(group));
    const rows = await file.attempt(async () => new RowGroupReader(file, metadata, group, PARSERS));
    for (;;) {
      const text = await file.attempt(() => readText(rows, print));
      if (text === "") break;
      yield Buffer.from(text);
    }
  }
}

async function readMetadata(file: ParquetSource): Promise<FileMetaData> {
  const { byteLength: end } = file;
  const tail = Buffer.from(await file.slice(Math.max(0, end - TAIL_BYTES), end));
  if (tail.toString("latin1", 4) !== "PAR1") throw new Error("file invalid (footer != PAR1)");
  const start = end - TAIL_BYTES - tail.readUInt32LE(0);
  if (start < 4) throw new Error("its footer is longer than the file");
  const footer = await file.slice(start, end);
  // hyparquet trusts the sizes of lists.
  readThrift(new Uint8Array(footer, 0, footer.byteLength - TAIL_BYTES), 0);
  const metadata = parquetMetadata(footer, { parsers: NO_PARSERS, geoparquet: false });
  checkMetadata(metadata, file.byteLength);
  // Some writers give JSON only the newer of its two types.
  for (const element of metadata.schema) {
    if (element.logical_type?.type === "JSON") element.converted_type = "JSON";
  }
  return metadata;
}

function endOf({ columns }: RowGroup): number {
  return Math.max(0, ...columns.map(({ meta_data: chunk }) => (chunk ? chunkRange(chunk).end : 0)));
}

/** Lines of some more rows, or no text at the end of the row group. */
async function readText(rows: RowGroupReader, print: (row: Row) => string): Promise<string> {
  const lines: string[] = [];
  for (let length = 0; length < CHUNK_LENGTH; ) {
    const row = await rows.next();
    if (row === undefined) break;
    const line = print(row);
    lines.push(line, "\n");
    length += line.length;
  }
  return lines.join("");
}

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
