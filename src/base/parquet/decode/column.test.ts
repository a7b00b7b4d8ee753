import { DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import type { ColumnDecoder } from "hyparquet/src/types.js";
import { expect, test } from "vitest";
import { ColumnReader } from "./column.js";
import type { Page } from "./pages.js";

const DECODER: ColumnDecoder = {
  pathInSchema: ["n"],
  type: "INT32",
  element: { name: "n", type: "INT32" },
  schemaPath: [],
  codec: "UNCOMPRESSED",
  parsers: DEFAULT_PARSERS,
};

/** Levels of one bit are packed; there are eight at most. */
function pack(levels: readonly number[]): Uint8Array {
  return Uint8Array.of(
    3,
    levels.reduce((bits, level, index) => bits | (level << index), 0),
  );
}

function createPage(repetition: readonly number[], values: readonly number[], change = {}): Page {
  return {
    isDictionary: false,
    count: repetition.length,
    encoding: "PLAIN",
    repetition: pack(repetition),
    definition: pack(repetition.map(() => 1)),
    values: new Uint8Array(Int32Array.from(values).buffer),
    ...change,
  };
}

async function readRows(pages: readonly Page[], rows: number, count: number): Promise<unknown[][]> {
  const rest = [...pages];
  const next = async (): Promise<Page> => {
    const page = rest.shift();
    if (page === undefined) throw new Error("no other page");
    return page;
  };
  const column = new ColumnReader({ next }, DECODER, { repetition: 1, definition: 1 }, count);
  const read: unknown[][] = [];
  while (read.length < rows) {
    while (!column.nextRow()) await column.loadPage();
    const row: unknown[] = [];
    while (column.repetition >= 0) row.push(column.take());
    read.push(row);
  }
  expect(column.isAtEnd).toBe(true);
  return read;
}

test("a row may go on in the next pages, and pages may be empty", async () => {
  const pages = [
    createPage([0, 0, 1], [1, 2, 3]),
    createPage([], []),
    createPage([1, 1], [4, 5]),
    createPage([1, 0], [6, 7]),
  ];
  expect(await readRows(pages, 3, 7)).toEqual([[1], [2, 3, 4, 5, 6], [7]]);
});

test("pages refer to the dictionary of their column", async () => {
  const dictionary = { ...createPage([], [10, 20]), isDictionary: true, count: 2 };
  const toIndices = (index: number) =>
    createPage([0], [], { encoding: "RLE_DICTIONARY", values: Uint8Array.of(2, 2, index) });
  expect(await readRows([dictionary, toIndices(1), toIndices(0)], 2, 2)).toEqual([[20], [10]]);
  await expect(readRows([dictionary, toIndices(2)], 1, 1)).rejects.toThrow("above 1");
  await expect(readRows([toIndices(0)], 1, 1)).rejects.toThrow("a dictionary that is not there");
});

test("pages have the values of their column, no more and no fewer", async () => {
  const page = createPage([0, 0], [1, 2]);
  await expect(readRows([page], 2, 1)).rejects.toThrow("a page has more values than its column");
  await expect(readRows([page], 2, 3)).rejects.toThrow("no other page");
  await expect(readRows([page], 3, 2)).rejects.toThrow("fewer rows than the others");
  await expect(readRows([createPage([1], [1])], 1, 1)).rejects.toThrow("begins within a list");
  await expect(readRows([createPage([0], [1, 2])], 1, 1)).rejects.toThrow("8 bytes of values");
  await expect(readRows([createPage([0, 0], [1])], 2, 2)).rejects.toThrow("instead of 8");
});
