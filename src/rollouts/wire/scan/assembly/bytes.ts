/** Helpers for the bytes of JSON. Positions are addresses. */

export const QUOTE: u32 = 0x22;
export const BACKSLASH: u32 = 0x5c;
export const SPACE: u32 = 0x20;
const TAB: u32 = 0x09;
const CARRIAGE_RETURN: u32 = 0x0d;

/** The letter u of an escape such as `\u0041`. */
export const UNICODE_ESCAPE: u32 = 0x75;

/** Eight-byte words in which every byte is 1, 0x80, or a backslash. */
const ONES: u64 = 0x0101010101010101;
const HIGHS: u64 = 0x8080808080808080;
const BACKSLASHES: u64 = 0x5c5c5c5c5c5c5c5c;

/** Loads the eight bytes at `at`; bytes at `to` and beyond read as zero. */
function wordAt(at: usize, to: usize): u64 {
  const word = load<u64>(at);
  const left = to - at;
  return left < 8 ? word & (((1 as u64) << ((left as u64) * 8)) - 1) : word;
}

/** Hashes a range of bytes. The result is 0 if and only if the range contains a backslash. */
export function hash(from: usize, to: usize): u64 {
  let sum: u64 = (to - from) as u64;
  for (let at = from; at < to; at += 8) {
    const word = wordAt(at, to);
    // The XOR makes backslash bytes zero, and subtracting one from a zero byte sets its highest bit.
    const marked = word ^ BACKSLASHES;
    if (((marked - ONES) & ~marked & HIGHS) !== 0) return 0;
    sum = (rotl(sum, 23) ^ word) * 0x9e3779b97f4a7c15;
  }
  return sum | 1;
}

export function areEqual(from: usize, to: usize, otherFrom: usize, otherTo: usize): bool {
  if (to - from !== otherTo - otherFrom) return false;
  for (let offset: usize = 0; offset < to - from; offset += 8) {
    if (wordAt(from + offset, to) !== wordAt(otherFrom + offset, otherTo)) return false;
  }
  return true;
}

/** Number of characters in a key that is written with escapes. */
export function countCharacters(from: usize, to: usize): usize {
  let count: usize = 0;
  for (let at = from; at < to; count += 1) {
    if (load<u8>(at) !== BACKSLASH) at += 1;
    else at += load<u8>(at + 1) === UNICODE_ESCAPE ? 6 : 2;
  }
  return count;
}

export function isDigit(byte: u32): bool {
  return byte - 0x30 < 10;
}

export function skipDigits(from: usize): usize {
  let at = from;
  while (isDigit(load<u8>(at))) at += 1;
  return at;
}

/** Skips white space between tokens; a line contains no newline. */
export function skipSpace(from: usize): usize {
  let at = from;
  while (isSpace(load<u8>(at))) at += 1;
  return at;
}

function isSpace(byte: u32): bool {
  return byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN;
}
