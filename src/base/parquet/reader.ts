import { startDecoder } from "./decoder.js";
import { type GroupPlan, MAGIC } from "./group-file.js";
import { damaged, ParquetProblem } from "./problems.js";
import { GuardedSource, type ParquetSource } from "./source.js";

/** A Parquet file ends with the length of its footer, and `PAR1`. */
const TAIL_BYTES = 8;

interface ReadOptions {
  readonly start?: typeof startDecoder;
  /** Whether every null is printed: see `createRowPrinter`. Default false. */
  readonly keepsNulls?: boolean;
}

/**
 * Yields the rows of a Parquet file as lines of JSON, one for each: row 1 is line 1. If the file has only one column, and
 * that is text, its values are the lines. Holds a row group as it is stored, and a part of it decoded.
 *
 * `onGroup` is called before each row group is read, with the number of bytes of the file up to its end. Throws UserError
 * (exit 3) if the file is damaged or uses what is not supported, and rethrows the errors of `source`.
 */
export async function* readParquetLines(
  source: ParquetSource,
  name: string,
  onGroup: (endByte: number) => Promise<void> = async () => {},
  { start = startDecoder, keepsNulls = false }: ReadOptions = {},
): AsyncGenerator<Uint8Array> {
  const file = new GuardedSource(source, name);
  const footer = await file.attempt("", () => readFooterBytes(file));
  const decoder = await start(footer, keepsNulls);
  try {
    let place = "";
    let bytes: Uint8Array<ArrayBuffer> | undefined;
    for (let number = 1; ; ) {
      const step = await file.attempt(place, () => decoder.next(bytes));
      bytes = undefined;
      if (step === undefined) return;
      if ("lines" in step) {
        yield step.lines;
        continue;
      }
      const { group } = step;
      place = `row group ${number}: `;
      number += 1;
      await onGroup(Math.max(0, ...group.columns.map(({ end }) => end)));
      bytes = await file.attempt(place, () => readGroup(file, group));
    }
  } finally {
    await decoder.close();
  }
}

/** The bytes from the footer to the end of the file. */
async function readFooterBytes(file: ParquetSource): Promise<Uint8Array> {
  const { byteLength: end } = file;
  const tail = Buffer.from(await file.slice(Math.max(0, end - TAIL_BYTES), end));
  const magic = tail.toString("latin1", 4);
  if (magic === "PARE") throw new ParquetProblem("it is encrypted: decrypt it first");
  if (magic !== MAGIC) {
    throw damaged("it does not end with a footer, as if it were cut off");
  }
  const start = end - TAIL_BYTES - tail.readUInt32LE(0);
  if (start < MAGIC.length) throw damaged("its footer is longer than the file");
  return new Uint8Array(await file.slice(start, end));
}

/** The file of a row group. */
async function readGroup(
  file: ParquetSource,
  { columns, tail }: GroupPlan,
): Promise<Uint8Array<ArrayBuffer>> {
  const size = columns.reduce((sum, { start, end }) => sum + Math.max(0, end - start), 0);
  if (size > file.byteLength) throw damaged("its columns are longer than the file");
  const bytes = new Uint8Array(MAGIC.length + size + tail.length);
  bytes.set(Buffer.from(MAGIC));
  let at = MAGIC.length;
  for (const { start, end } of columns) {
    bytes.set(new Uint8Array(await file.slice(start, end)), at);
    at += end - start;
  }
  bytes.set(tail, at);
  return bytes;
}
