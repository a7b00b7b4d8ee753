import { BACKSLASH, isDigit, QUOTE, SPACE, UNICODE_ESCAPE } from "./bytes";

/** What findQuotes() gives, as bits; 0 when there is an escape that JSON does not know. */
export const FOUND: u32 = 1;
/** There are bytes below 0x20. */
export const HAS_CONTROLS: u32 = 2;
/** There is an escaped surrogate, which may be half of a pair. */
export const HAS_SURROGATES: u32 = 4;

/**
 * Writes down at `quotes` the addresses of the quotes from `start` to `end` that no backslash escapes, and `end` twice:
 * a string that is not closed ends there. Up to 64 bytes behind `end` are read: they must be nothing that is looked for.
 */
export function findQuotes(start: usize, end: usize, quotes: usize): u32 {
  const limit = i8x16.splat(SPACE as i8);
  let found = FOUND;
  let next = quotes;
  /** 1 when the last of the 64 bytes before escapes the first of these. */
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
      // What it escapes is neither a quote nor a backslash to anybody.
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

/** Which of 64 bytes are `byte`. */
function bitsOf(a: v128, b: v128, c: v128, d: v128, byte: u32): u64 {
  const wanted = i8x16.splat(byte as i8);
  return (
    (i8x16.bitmask(i8x16.eq(a, wanted)) as u64) |
    ((i8x16.bitmask(i8x16.eq(b, wanted)) as u64) << 16) |
    ((i8x16.bitmask(i8x16.eq(c, wanted)) as u64) << 32) |
    ((i8x16.bitmask(i8x16.eq(d, wanted)) as u64) << 48)
  );
}

/** What the byte behind a backslash begins. */
function readEscape(at: usize): u32 {
  const byte: u32 = load<u8>(at);
  if (byte === UNICODE_ESCAPE) return readHexadecimal(at + 1);
  return isShortEscape(byte) ? FOUND : 0;
}

/** One of `n " \ / b f r t`. */
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

/** The four digits of a code unit; those of surrogates begin with D8 to DF. */
function readHexadecimal(at: usize): u32 {
  for (let digit: usize = 0; digit < 4; digit += 1) {
    const byte: u32 = load<u8>(at + digit);
    if (!isDigit(byte) && (byte | 0x20) - 0x61 > 5) return 0;
  }
  const isSurrogate = (load<u8>(at) | 0x20) === 0x64 && load<u8>(at + 1) > 0x37;
  return isSurrogate ? FOUND | HAS_SURROGATES : FOUND;
}
