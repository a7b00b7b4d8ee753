/** An element makes at most 64 bytes of 3. */
const MAX_RATIO = 22;

/** Up to so many bytes, a loop is faster than the view that a copy needs. */
const SHORT = 64;

/**
 * Decompresses snappy to exactly `length` bytes, or throws Error. hyparquet's own function does not end for some damaged
 * input: it takes the length of a literal as signed, and goes back.
 */
export function decompressSnappy(input: Uint8Array, length: number): Uint8Array {
  if (length > MAX_RATIO * input.length) throw new Error("a page is too short for its size");
  let { value, at } = readLength(input);
  if (value !== length) throw new Error("a page has not the size that its header names");
  const output = new Uint8Array(length);
  let written = 0;
  while (at < input.length) {
    const tag = input[at] ?? 0;
    const kind = tag & 3;
    at += 1;
    if (kind === 0) {
      const size = tag >> 2;
      const extra = Math.max(0, size - 59);
      const count = (extra === 0 ? size : readNumber(input, at, extra)) + 1;
      at += extra;
      if (at + count > input.length || written + count > length) throw damaged();
      if (count > SHORT) output.set(input.subarray(at, at + count), written);
      else copy(input, at, output, written, count);
      at += count;
      written += count;
    } else {
      const bytes = kind === 3 ? 4 : kind;
      const high = kind === 1 ? (tag >> 5) * 256 : 0;
      const count = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
      value = readNumber(input, at, bytes) + high;
      at += bytes;
      if (value === 0 || value > written || written + count > length) throw damaged();
      copy(output, written - value, output, written, count);
      written += count;
    }
  }
  if (written !== length) throw damaged();
  return output;
}

/** Copies bytes one by one, which repeats those that overlap, and is faster for few. */
function copy(
  source: Uint8Array,
  from: number,
  target: Uint8Array,
  to: number,
  count: number,
): void {
  for (let index = 0; index < count; index += 1) target[to + index] = source[from + index] ?? 0;
}

function readLength(input: Uint8Array): { value: number; at: number } {
  let value = 0;
  for (let at = 0; at < 5; at += 1) {
    const byte = input[at] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * at);
    if (byte < 0x80) return { value, at: at + 1 };
  }
  throw damaged();
}

/** A little-endian number. */
function readNumber(input: Uint8Array, at: number, bytes: number): number {
  let value = 0;
  for (let index = bytes - 1; index >= 0; index -= 1)
    value = value * 256 + (input[at + index] ?? 0);
  return value;
}

function damaged(): Error {
  return new Error("a page is not what snappy writes");
}
