import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { UserError } from "../user-error.js";
import { displayName, type InputSource, STDIN } from "./input-source.js";
import { toReadError } from "./to-read-error.js";

/** First bytes of every gzip file (RFC 1952, section 2.3.1). */
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/**
 * The bytes of `file`, unpacked when they are gzip, whatever the file is called; `-` is standard
 * input.
 *
 * Throws UserError (exit 3) when the file is missing, a directory, unreadable, damaged gzip, or
 * binary: a NUL byte in its first block.
 */
export async function* openInput(file: string, source: InputSource): AsyncGenerator<Uint8Array> {
  const stored = file === STDIN ? source.stdin : createReadStream(resolve(source.cwd, file));
  try {
    yield* refuseBinary(file, unpack(toBytes(stored)));
  } catch (error) {
    throw toReadError(file, error);
  }
}

async function* toBytes(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
}

async function* unpack(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const head = await readHead(chunks, GZIP_MAGIC.length);
  const all = prepend(head, chunks);
  if (!head.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) return yield* all;
  const gunzip = createGunzip();
  // Errors of either stream come out of `gunzip` below; the callback only keeps them from throwing.
  pipeline(Readable.from(all, { objectMode: false }), gunzip, () => {});
  yield* gunzip;
}

/** A pipe may give its bytes one by one: reads until there are `length` of them or no more. */
async function readHead(chunks: AsyncGenerator<Uint8Array>, length: number): Promise<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < length) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    head = Buffer.concat([head, value]);
  }
  return head;
}

async function* prepend(
  head: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield head;
  yield* rest;
}

async function* refuseBinary(
  file: string,
  chunks: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let first = true;
  for await (const chunk of chunks) {
    if (first && chunk.includes(0)) {
      throw new UserError(`${displayName(file)}: binary data, or text in UTF-16: give UTF-8`);
    }
    first = false;
    yield chunk;
  }
}
