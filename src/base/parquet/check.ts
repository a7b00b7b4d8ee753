import type { ColumnMetaData, FileMetaData, RowGroup, SchemaElement } from "hyparquet";

// Wrong numbers in a footer may lose rows, take hours or fill the memory, so they are compared with each other first.

/** Throws Error if the footer of a file contradicts itself, or the size of the file. */
export function checkMetadata(
  { schema, row_groups: groups, num_rows: rows }: FileMetaData,
  fileBytes: number,
): void {
  if (sizeOfTree(schema, 0) !== schema.length) throw new Error("the schema is no tree");
  const leaves = schema.filter(({ type }) => type !== undefined).length;
  for (const group of groups) checkGroup(group, leaves, fileBytes);
  if (groups.reduce((sum, group) => sum + group.num_rows, 0n) !== rows) {
    throw new Error("the row groups have not as many rows as the file");
  }
}

/** Where the bytes of a column in a row group are. */
export function chunkRange(chunk: ColumnMetaData): {
  readonly start: number;
  readonly end: number;
} {
  // Some writers put zero for no dictionary.
  const start = Number(chunk.dictionary_page_offset || chunk.data_page_offset);
  return { start, end: start + Number(chunk.total_compressed_size) };
}

/** Number of elements from `index` to the end of its last descendant; Infinity if they exceed the list. */
function sizeOfTree(schema: readonly SchemaElement[], index: number, depth = 0): number {
  const element = schema[index];
  const children = element?.num_children ?? 0;
  if (element === undefined || depth > MAX_DEPTH || children > schema.length) return Infinity;
  if (element.type !== undefined && children > 0) return Infinity;
  let size = 1;
  for (let child = 0; child < children && size < Infinity; child += 1) {
    size += sizeOfTree(schema, index + size, depth + 1);
  }
  return size;
}

/** Far more than any schema has: records are nested at most 400 levels deep, with three elements for a list. */
const MAX_DEPTH = 1200;

function checkGroup(
  { num_rows: rows, columns }: RowGroup,
  leaves: number,
  fileBytes: number,
): void {
  if (columns.length !== leaves) throw new Error("a row group has not the columns of the schema");
  for (const { meta_data: chunk } of columns) {
    if (chunk === undefined) throw new Error("a column is in another file");
    const { start, end } = chunkRange(chunk);
    if (!(start >= 4 && end >= start && end <= fileBytes)) {
      throw new Error("a column lies outside the file");
    }
    // Every row has a value in every column, or a null, or an empty list.
    if (rows < 0 || rows > chunk.num_values || chunk.num_values > MAX_VALUES) {
      throw new Error("a row group has not as many rows as its columns have values");
    }
  }
}

/** More values of one column in one row group could not be held in memory. */
const MAX_VALUES = 2 ** 28;
