import { BACKSLASH, isDigit, QUOTE, SPACE, UNICODE_ESCAPE } from "./bytes";

/** Flags returned by findQuotes(). The result is 0 if an escape is invalid in JSON. */
export const FOUND: u32 = 1;
/** The line contains bytes below 0x20. */
export const HAS_CONTROLS: u32 = 2;
/** The line contains an escaped surrogate, which may be half of a pair. */
export const HAS_SURROGATES: u32 = 4;

/**
 * Writes the addresses of all unescaped quotes from `start` to `end` to `quotes`, then `end` twice, so that an
 * unclosed string ends there. Reads up to 64 bytes beyond `end`; they must not contain quotes, backslashes or
 * controls.
 */
export function findQuotes(start: usize, end: usize, quotes: usize): u32 {
  const limit = i8x16.splat(SPACE as i8);
  let found = FOUND;
  let next = quotes;
  /** 1 if the last of the previous 64 bytes escapes the first of these. */
  let carry: u64 = 0;
  for (let at = start; at < end; at += 64) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    const least = i8x16.min_u(i8x16.min_u(a, b), i8x16.min_u(c, d));
    if (v128.any_true(i8x16.lt_u(least, limit))) found |= HAS_CONTROLS;
    let escaped = carry;
    carry = 0;
    let backslashes = bitsOf(a, b, c, d, BACKSLASH) & ~escaped;
    while (backslashes !== 0) {
      const place = ctz(backslashes);
      const kind = readEscape(at + (place as usize) + 1);
      if (kind === 0) return 0;
      found |= kind;
      // The escaped byte must not count as a quote or as a backslash.
      if (place === 63) carry = 1;
      else escaped |= (2 as u64) << place;
      backslashes &= ~((3 as u64) << place);
    }
    let bits = bitsOf(a, b, c, d, QUOTE) & ~escaped;
    while (bits !== 0) {
      store<u32>(next, (at + (ctz(bits) as usize)) as u32);
      next += 4;
      bits &= bits - 1;
    }
  }
  store<u32>(next, end as u32);
  store<u32>(next, end as u32, 4);
  return found;
}

/** A bit mask of the 64 bytes that equal `byte`. */
function bitsOf(a: v128, b: v128, c: v128, d: v128, byte: u32): u64 {
  const wanted = i8x16.splat(byte as i8);
  return (
    (i8x16.bitmask(i8x16.eq(a, wanted)) as u64) |
    ((i8x16.bitmask(i8x16.eq(b, wanted)) as u64) << 16) |
    ((i8x16.bitmask(i8x16.eq(c, wanted)) as u64) << 32) |
    ((i8x16.bitmask(i8x16.eq(d, wanted)) as u64) << 48)
  );
}

/** Reads the escape that begins after a backslash. */
function readEscape(at: usize): u32 {
  const byte: u32 = load<u8>(at);
  if (byte === UNICODE_ESCAPE) return readHexadecimal(at + 1);
  return isShortEscape(byte) ? FOUND : 0;
}

/** Tells whether `byte` is one of `n " \ / b f r t`. */
function isShortEscape(byte: u32): bool {
  return (
    byte === 0x6e ||
    byte === QUOTE ||
    byte === BACKSLASH ||
    byte === 0x2f ||
    byte === 0x62 ||
    byte === 0x66 ||
    byte === 0x72 ||
    byte === 0x74
  );
}

/** Reads the four hexadecimal digits of a code unit; surrogates begin with D8 to DF. */
function readHexadecimal(at: usize): u32 {
  for (let digit: usize = 0; digit < 4; digit += 1) {
    const byte: u32 = load<u8>(at + digit);
    if (!isDigit(byte) && (byte | 0x20) - 0x61 > 5) return 0;
  }
  const isSurrogate = (load<u8>(at) | 0x20) === 0x64 && load<u8>(at + 1) > 0x37;
  return isSurrogate ? FOUND | HAS_SURROGATES : FOUND;
}
