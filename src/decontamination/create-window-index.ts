import type { EvalCorpus } from "./create-eval-corpus.js";
import { createWindowTable, NOWHERE, type WindowTable } from "./create-window-table.js";
import { someWindow } from "./some-window.js";

/** Where each window of an evaluation set stands: n tokens, or a whole text that is shorter. */
export interface WindowIndex {
  /** Whether the tokens hold any window of the set. Linear in the tokens. */
  sharesWindow(tokens: Int32Array): boolean;
  /**
   * The corpus positions of all windows of the set that the tokens hold, ascending. Linear in the
   * tokens, plus the sorting of what is returned.
   */
  sharedPositions(tokens: Int32Array): Int32Array;
}

/**
 * Enters every window of the corpus into the table of its width: n, and each length of a text below
 * n. Tokens are scanned once per table.
 */
export function createWindowIndex(corpus: EvalCorpus, n: number): WindowIndex {
  const tables = createTables(corpus, n);
  const nextEqual = fillTables(tables, corpus, n);
  const everyTable = [...tables.values()];

  /** Calls `visit` with the first corpus position of each shared window, until it returns true. */
  function someSharedWindow(tokens: Int32Array, visit: (first: number) => boolean): boolean {
    return everyTable.some((table) =>
      someWindow(tokens, { start: 0, end: tokens.length, width: table.width }, (hash, start) => {
        const first = table.find(hash, tokens, start);
        return first !== NOWHERE && visit(first);
      }),
    );
  }

  return {
    sharesWindow: (tokens) => someSharedWindow(tokens, () => true),
    sharedPositions(tokens) {
      // A set, so that a window which the tokens repeat is followed up once.
      const shared = new Set<number>();
      someSharedWindow(tokens, (first) => {
        shared.add(first);
        return false;
      });
      const positions: number[] = [];
      for (const first of shared) {
        for (let at = first; at !== NOWHERE; at = nextEqual[at] ?? NOWHERE) positions.push(at);
      }
      return Int32Array.from(positions).sort();
    },
  };
}

/** An empty table for every width in the corpus, by width. */
function createTables({ texts, tokens }: EvalCorpus, n: number): ReadonlyMap<number, WindowTable> {
  const counts = new Map<number, number>();
  for (const { start, end } of texts) {
    const width = Math.min(n, end - start);
    counts.set(width, (counts.get(width) ?? 0) + end - start - width + 1);
  }
  const tables = new Map<number, WindowTable>();
  for (const [width, count] of counts) tables.set(width, createWindowTable(tokens, width, count));
  return tables;
}

/**
 * Gives, for the first position of a window and for each one that follows, the next position of an
 * equal window, or `NOWHERE`.
 */
function fillTables(
  tables: ReadonlyMap<number, WindowTable>,
  { texts, tokens }: EvalCorpus,
  n: number,
): Int32Array {
  const nextEqual = new Int32Array(tokens.length).fill(NOWHERE);
  for (const { start, end } of texts) {
    const width = Math.min(n, end - start);
    const table = tables.get(width);
    someWindow(tokens, { start, end, width }, (hash, position) => {
      const first = table?.add(hash, position) ?? position;
      if (first !== position) {
        nextEqual[position] = nextEqual[first] ?? NOWHERE;
        nextEqual[first] = position;
      }
      return false;
    });
  }
  return nextEqual;
}
