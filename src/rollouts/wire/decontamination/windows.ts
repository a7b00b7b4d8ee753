import type { EvalCorpus, EvalText } from "./corpus.js";
import { sameTokens, someWindow } from "./tokens.js";

/** The data of a `WindowIndex`. */
export interface WindowTables {
  /** Tokens per window, except that of a shorter text. */
  readonly n: number;
  /** For each position, the next one of an equal window, or `NOWHERE`. */
  readonly nextEqual: Int32Array;
  /** The slots of each table, by the width of its windows. */
  readonly slots: ReadonlyMap<number, Int32Array>;
}

/**
 * Positions of all windows of an evaluation set. A window is n tokens, or a whole text that is shorter. Equal windows
 * are identified by the corpus position of the first of them.
 */
export interface WindowIndex {
  readonly tables: WindowTables;
  /** Tells whether the tokens contain any window of the set that `counts`; by default all do. Linear in the tokens. */
  sharesWindow(tokens: Int32Array, counts?: (first: number) => boolean): boolean;
  /** Returns the windows of the set that occur in the tokens, each once. Linear in the tokens. */
  sharedWindows(tokens: Int32Array): ReadonlySet<number>;
  /**
   * Returns the corpus positions of all windows of the set that occur in the tokens and that `counts`, ascending.
   * Linear in the tokens, plus sorting the result.
   */
  sharedPositions(tokens: Int32Array, counts?: (first: number) => boolean): Int32Array;
  /** Yields the corpus positions of all windows that equal the one at `first`, which is one of them. */
  equalPositions(first: number): Iterable<number>;
  /** Number of tokens in each window of the text. */
  widthOf(text: EvalText): number;
}

/**
 * Indexes every window of the corpus in the table for its width: n, or the length of a text shorter than n.
 * Tokens are scanned once per table.
 */
export function createWindowIndex(corpus: EvalCorpus, n: number): WindowIndex {
  return openWindowIndex(corpus, fillTables(corpus, n));
}

/** Uses the tables of an earlier index of the same corpus. */
export function openWindowIndex({ tokens: all }: EvalCorpus, tables: WindowTables): WindowIndex {
  const { n, nextEqual } = tables;
  const everyTable = [...tables.slots].map(([width, slots]) => openTable(all, width, slots));

  /** Calls `visit` with the first corpus position of each shared window until it returns true. */
  function someSharedWindow(tokens: Int32Array, visit: (first: number) => boolean): boolean {
    return everyTable.some((table) =>
      someWindow(tokens, { start: 0, end: tokens.length, width: table.width }, (hash, start) => {
        const first = table.find(hash, tokens, start);
        return first !== NOWHERE && visit(first);
      }),
    );
  }

  function* equalPositions(first: number): Generator<number> {
    for (let at = first; at !== NOWHERE; at = nextEqual[at] ?? NOWHERE) yield at;
  }

  function sharedWindows(tokens: Int32Array): ReadonlySet<number> {
    // A set, so that repeated windows are looked up only once.
    const shared = new Set<number>();
    someSharedWindow(tokens, (first) => {
      shared.add(first);
      return false;
    });
    return shared;
  }

  return {
    tables,
    sharesWindow: (tokens, counts = () => true) => someSharedWindow(tokens, counts),
    sharedWindows,
    sharedPositions(tokens, counts = () => true) {
      const positions: number[] = [];
      for (const first of sharedWindows(tokens)) {
        if (!counts(first)) continue;
        for (const at of equalPositions(first)) positions.push(at);
      }
      return Int32Array.from(positions).sort();
    },
    equalPositions,
    widthOf: ({ start, end }) => Math.min(n, end - start),
  };
}

/** Creates the empty slots of a table for every width in the corpus. */
function createSlots({ texts }: EvalCorpus, n: number): Map<number, Int32Array> {
  const counts = new Map<number, number>();
  for (const { start, end } of texts) {
    const width = Math.min(n, end - start);
    counts.set(width, (counts.get(width) ?? 0) + end - start - width + 1);
  }
  return new Map([...counts].map(([width, count]) => [width, emptySlots(count)]));
}

function fillTables(corpus: EvalCorpus, n: number): WindowTables {
  const { texts, tokens } = corpus;
  const slots = createSlots(corpus, n);
  const tables = new Map(
    [...slots].map(([width, empty]) => [width, openTable(tokens, width, empty)]),
  );
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
  return { n, nextEqual, slots };
}

/** No position: an empty slot, or no match. */
export const NOWHERE = -1;

/** 2^32 divided by the golden ratio (Knuth, TAOCP 3, 6.4: multiplicative hashing). */
const SPREAD = 0x9e3779b1;

/** The windows of one width in the evaluation items, each with the position of its first occurrence. */
interface WindowTable {
  /** Tokens per window. */
  readonly width: number;
  /**
   * Adds the window of the corpus at `position`. Returns the position of an equal window added earlier,
   * otherwise `position`.
   */
  add(hash: number, position: number): number;
  /**
   * Returns the position at which the window `tokens[start]` to `tokens[start + width - 1]` was first added, or
   * `NOWHERE`. Tokens are compared, so a hash collision is no match.
   */
  find(hash: number, tokens: Int32Array, start: number): number;
}

/** The empty table of at most `capacity` windows: see `openTable`. */
export function emptySlots(capacity: number): Int32Array {
  const bits = Math.max(1, Math.ceil(Math.log2(capacity * 1.5)));
  return new Int32Array(2 ** bits).fill(NOWHERE);
}

/**
 * A table of windows over `corpus` in `slots`. Uses open addressing with linear probing, 6 to 12 bytes per window. (A `Map`
 * takes 50, and is limited to 2^24 entries.)
 */
export function openTable(corpus: Int32Array, width: number, slots: Int32Array): WindowTable {
  const bits = Math.log2(slots.length);

  function slotOf(hash: number, tokens: Int32Array, start: number): number {
    let slot = Math.imul(hash ^ (hash >>> 16), SPREAD) >>> (32 - bits);
    for (;;) {
      const position = slots[slot] ?? NOWHERE;
      if (position === NOWHERE || sameTokens(corpus, position, tokens, start, width)) return slot;
      slot = (slot + 1) & (slots.length - 1);
    }
  }

  return {
    width,
    add(hash, position) {
      const slot = slotOf(hash, corpus, position);
      const first = slots[slot] ?? NOWHERE;
      if (first !== NOWHERE) return first;
      slots[slot] = position;
      return position;
    },
    find(hash, tokens, start) {
      return slots[slotOf(hash, tokens, start)] ?? NOWHERE;
    },
  };
}
