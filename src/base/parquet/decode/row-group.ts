import { DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import { parquetSchema } from "hyparquet/src/metadata.js";
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from "hyparquet/src/schema.js";
import type { ColumnChunk, FileMetaData, ParquetParsers, RowGroup } from "hyparquet/src/types.js";
import { chunkRange } from "../check.js";
import type { ParquetSource } from "../source.js";
import { ColumnReader } from "./column.js";
import { createField, type Field, readField, type SchemaPath } from "./fields.js";
import { PageReader } from "./pages.js";

export type Row = Readonly<Record<string, unknown>>;

/** Reads the rows of a row group one by one. Of each column, only one page is in memory, and its dictionary. */
export class RowGroupReader {
  readonly #columns: readonly ColumnReader[];
  readonly #root: Field;
  #left: number;

  constructor(
    source: ParquetSource,
    metadata: FileMetaData,
    group: RowGroup,
    parsers: Partial<ParquetParsers>,
  ) {
    const chunks = group.columns.values();
    const allParsers = { ...DEFAULT_PARSERS, ...parsers };
    this.#root = createField(parquetSchema(metadata), (path) =>
      createColumn(source, chunks.next().value, path, allParsers),
    );
    this.#columns = this.#root.columns;
    this.#left = Number(group.num_rows);
  }

  /** The next row; undefined after the last. Throws Error if the row group is damaged. */
  async next(): Promise<Row | undefined> {
    if (this.#left === 0) {
      if (this.#columns.every(({ isAtEnd }) => isAtEnd)) return undefined;
      throw new Error("a column has more rows than its row group");
    }
    this.#left -= 1;
    for (const column of this.#columns) {
      while (!column.nextRow()) await column.loadPage();
    }
    const row = readField(this.#root);
    if (this.#columns.some(({ repetition }) => repetition >= 0) || !isRow(row)) {
      throw new Error("a column has a list of unknown depth");
    }
    return row;
  }
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null;
}

function createColumn(
  source: ParquetSource,
  column: ColumnChunk | undefined,
  path: SchemaPath,
  parsers: ParquetParsers,
): ColumnReader {
  const chunk = column?.meta_data;
  const names = path.slice(1).map(({ element }) => element.name);
  const element = path.at(-1)?.element;
  const isHere = chunk?.type === element?.type && chunk?.path_in_schema.join() === names.join();
  if (chunk === undefined || element === undefined || !isHere) {
    throw new Error(`there is no column ${names.join(".")} in a row group`);
  }
  const schemaPath = [...path];
  const levels = {
    repetition: getMaxRepetitionLevel(schemaPath),
    definition: getMaxDefinitionLevel(schemaPath),
  };
  const { start, end } = chunkRange(chunk);
  const pages = new PageReader(source, {
    start,
    end,
    codec: chunk.codec,
    hasRepetition: levels.repetition > 0,
    hasDefinition: levels.definition > 0,
  });
  const { type, codec } = chunk;
  const decoder = { pathInSchema: names, type, element, schemaPath, codec, parsers };
  return new ColumnReader(pages, decoder, levels, Number(chunk.num_values));
}
