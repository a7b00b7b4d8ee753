import { tableFromIPC } from "@uwdata/flechette";
import type { RowGroup, SchemaElement } from "hyparquet";
import { initSync, readParquet } from "parquet-wasm/esm/parquet_wasm.js";
import { checkPages, type GroupPlan, planGroup, readFooter } from "./group-file.js";
import { LineWriter } from "./line-writer.js";
import { createRowPrinter } from "./print-rows.js";
import { damaged, guard, ParquetProblem } from "./problems.js";

/** The next row group, which the caller is to read, or lines of the last one that it has read. */
export type DecodeStep =
  | { readonly group: GroupPlan }
  | { readonly lines: Uint8Array<ArrayBuffer> };

/** Lines are handed over in pieces of about this size. */
const CHUNK_BYTES = 2 ** 18;

/** About what is decoded at a time. A row group is decoded in parts, since WebAssembly has no more than 4 GB. */
const PART_BYTES = 2 ** 28;

/** Rows of the first part, by which the others are measured. */
const FIRST_ROWS = 1024;

/** How much longer than the last part the next one may be: its rows may be longer. */
const GROWTH = 16;

const NEWLINE = 0x0a;

/** About what is handed over from WebAssembly at a time. */
const BATCH_BYTES = 2 ** 22;

/**
 * Decodes a file with this footer, given with all bytes up to its end, by the module of parquet-wasm. `next` takes the file of the group that was asked
 * for. Throws Error if the content is damaged or not supported, or the memory too small. This module is not to be used again
 * then, since WebAssembly may have stopped anywhere.
 */
export function* decodeFile(
  footer: Uint8Array,
  wasm: WebAssembly.Module,
  keepsNulls = false,
): Generator<DecodeStep, undefined, Uint8Array | undefined> {
  // Once in a thread: it returns at once if it was called before.
  initSync({ module: wasm });
  const { schema, row_groups: groups } = guard(FOOTER, () => readFooter(footer));
  const leaves = schema.filter(({ type }) => type !== undefined);
  for (const group of groups) {
    const plan = guard(FOOTER, () => planGroup(schema, group));
    const file = yield { group: plan };
    if (file === undefined) throw new TypeError("the bytes of a row group are missing");
    guard("the header of a page is damaged", () => checkPages(file, plan));
    try {
      yield* decodeGroup(file, group, leaves, keepsNulls);
    } catch (error) {
      throw explain(error);
    }
  }
}

const FOOTER = "its footer is damaged";

/** What WebAssembly puts before the reason. */
const KINDS = /^(?:(?:(?:Parquet |Arrow )?(?:argument )?error|External|EOF|NYI): )+/i;
const UNSUPPORTED = /support|disabled feature|implemented/i;

/** Why a row group could not be decoded. */
function explain(error: unknown): ParquetProblem {
  if (error instanceof ParquetProblem) return error;
  // WebAssembly stopped. It says no more.
  if (!(error instanceof Error) || error.name === "RuntimeError") {
    return damaged("it is damaged, or too large for the memory");
  }
  // Errors of JavaScript tell about the decoder, not about the file.
  const isReason = error.name === "Error" && !error.message.includes("strings stripped");
  const reason = isReason ? ` (${error.message.replace(KINDS, "")})` : "";
  if (!isReason || !UNSUPPORTED.test(reason)) return damaged(`its data is damaged${reason}`);
  return new ParquetProblem(
    `it is stored in a way that is not supported${reason}: write it with another compression or encoding`,
  );
}

function* decodeGroup(
  file: Uint8Array,
  { num_rows, total_byte_size }: RowGroup,
  leaves: readonly SchemaElement[],
  keepsNulls: boolean,
): Generator<DecodeStep, undefined, unknown> {
  const rows = Number(num_rows);
  const output = new LineWriter(2 * CHUNK_BYTES);
  let rowBytes = Number(total_byte_size) / rows;
  let limit = FIRST_ROWS;
  for (let offset = 0; offset < rows; offset += limit) {
    limit = Math.min(rowsIn(PART_BYTES, rowBytes), offset === 0 ? FIRST_ROWS : GROWTH * limit);
    const batchSize = Math.min(limit, rowsIn(BATCH_BYTES, rowBytes));
    const part = readParquet(file, { offset, limit, batchSize });
    const expected = Math.min(limit, rows - offset);
    rowBytes = part.getArrayMemorySize() / expected;
    let printed = 0;
    for (const batch of part.recordBatches()) {
      const table = tableFromIPC(batch.intoIPCStream(), { useBigInt: true, useDate: true });
      const print = createRowPrinter(table, leaves, output, keepsNulls);
      printed += table.numRows;
      for (let row = 0; row < table.numRows; row += 1) {
        print(row);
        output.byte(NEWLINE);
        if (output.length >= CHUNK_BYTES) yield { lines: output.take() };
      }
    }
    part.free();
    if (printed !== expected) throw damaged("its columns have not as many rows as it says");
  }
  if (output.length > 0) yield { lines: output.take() };
}

function rowsIn(bytes: number, rowBytes: number): number {
  return Math.max(1, Math.floor(bytes / Math.max(1, rowBytes)));
}
