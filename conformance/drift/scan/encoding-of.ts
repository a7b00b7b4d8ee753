/** How much of a file is looked at to tell text from what is none, as git does. */
const HEAD = 8000;

export type Encoding = "utf-8" | "utf-16le" | "utf-16be";

/** How a file's text is encoded, with or without a byte-order mark; undefined for what is no text. */
export function encodingOf(bytes: Buffer): Encoding | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (!bytes.subarray(0, HEAD).includes(0)) return "utf-8";
  // Without a mark: a schema begins with characters of ASCII, of which one byte is zero.
  if (first && second === 0 && third && fourth === 0) return "utf-16le";
  if (first === 0 && second && third === 0 && fourth) return "utf-16be";
  return undefined;
}
