import { sameTokens } from "./same-tokens.js";

/** No position: an empty slot, or nothing found. */
export const NOWHERE = -1;

/** 2^32 divided by the golden ratio (Knuth, TAOCP 3, 6.4: multiplicative hashing). */
const SPREAD = 0x9e3779b1;

/** The windows of one width that evaluation items hold, each under the place where it was first seen. */
export interface WindowTable {
  /** Tokens per window. */
  readonly width: number;
  /**
   * Enters the window of the corpus at `position`, and gives the position at which an equal window was
   * entered before, else `position`.
   */
  add(hash: number, position: number): number;
  /**
   * The position at which the window `tokens[start]` to `tokens[start + width - 1]` was first
   * entered, or `NOWHERE`. Tokens are compared, so equal hashes alone find nothing.
   */
  find(hash: number, tokens: Int32Array, start: number): number;
}

/**
 * An empty table of windows over `corpus`, for at most `capacity` of them: open addressing with
 * linear probing, 6 to 12 bytes per window. (A `Map` takes 50, and ends at 2^24 entries.)
 */
export function createWindowTable(
  corpus: Int32Array,
  width: number,
  capacity: number,
): WindowTable {
  const bits = Math.max(1, Math.ceil(Math.log2(capacity * 1.5)));
  const slots = new Int32Array(2 ** bits).fill(NOWHERE);

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
