/** Reads a number of `width` bits, at most 48, that begins at a bit, the lowest first. Throws Error if the bytes end. */
export function readBits(bytes: Uint8Array, start: number, width: number): number {
  let value = 0;
  for (let read = 0; read < width; ) {
    const bit = start + read;
    const offset = bit % 8;
    const count = Math.min(8 - offset, width - read);
    const byte = bytes[(bit - offset) / 8];
    if (byte === undefined) throw new Error("a page ends within its values");
    value += ((byte >> offset) & ((1 << count) - 1)) * 2 ** read;
    read += count;
  }
  return value;
}
