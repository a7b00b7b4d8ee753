/** Stands for a token that no evaluation item has; no window holds it. */
export const UNKNOWN_TOKEN = -1;

/** Multiplier of the rolling hash: the prime of FNV-1a (32 bit). */
const BASE = 0x01000193;

/** 2^32 divided by the golden ratio: spreads token ids, which are small and dense. */
const SPREAD = 0x9e3779b1;

/**
 * Calls `visit` with hash (32 bit) and start of every window of `width` (at least 1) known tokens in
 * `tokens[start]` up to `tokens[end - 1]`, from left to right, until it returns true. Equal windows
 * have equal hashes; the reverse is not promised. Gives whether `visit` ended it. Linear in
 * `end - start`, whatever the width.
 */
export function someWindow(
  tokens: Int32Array,
  { start, end, width }: { start: number; end: number; width: number },
  visit: (hash: number, start: number) => boolean,
): boolean {
  if (end - start < width) return false;
  const oldest = power(BASE, width);
  let known = 0;
  let hash = 0;
  for (let at = start; at < end; at += 1) {
    const token = tokens[at] ?? UNKNOWN_TOKEN;
    if (token === UNKNOWN_TOKEN) {
      known = 0;
      hash = 0;
      continue;
    }
    hash = append(hash, token);
    if (known < width) known += 1;
    else hash = (hash - Math.imul(spread(tokens[at - width] ?? UNKNOWN_TOKEN), oldest)) | 0;
    if (known === width && visit(hash, at - width + 1)) return true;
  }
  return false;
}

/** The hash (32 bit) of all of `tokens[start]` up to `tokens[end - 1]`, none of them unknown. */
export function hashOf(tokens: Int32Array, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at += 1) hash = append(hash, tokens[at] ?? UNKNOWN_TOKEN);
  return hash;
}

function append(hash: number, token: number): number {
  return (Math.imul(hash, BASE) + spread(token)) | 0;
}

function spread(token: number): number {
  const mixed = Math.imul(token + 1, SPREAD);
  return mixed ^ (mixed >>> 15);
}

/** `base` to the power of `exponent`, modulo 2^32. */
function power(base: number, exponent: number): number {
  let result = 1;
  for (let count = 0; count < exponent; count += 1) result = Math.imul(result, base);
  return result;
}
