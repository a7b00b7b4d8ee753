import { type FileHandle, open } from "node:fs/promises";
import { resolve } from "node:path";
import { type Duplex, pipeline, Readable } from "node:stream";
import * as zlib from "node:zlib";
import { UserError } from "../user-error.js";
import { displayName, type InputSource, STDIN, toReadError } from "./source.js";

/** Bytes per read: large enough that the cost per chunk is lost in that of its lines. */
const CHUNK_BYTES = 2 ** 18;

interface OpenInputOptions {
  /** Is called with every chunk as it is stored, before it is decompressed. */
  readonly onStored?: ((chunk: Uint8Array) => void) | undefined;
}

/**
 * The bytes of `file`, decompressed when they are gzip or zstd, whatever the file is called; `-` is
 * standard input. A chunk lasts until the next one is asked for: its memory is used again.
 *
 * Throws UserError (exit 3) when the file is missing, a directory, unreadable, damaged, or binary (a
 * NUL byte in its first block), and for zstd where Node has none (before 22.15).
 */
export async function* openInput(
  file: string,
  source: InputSource,
  { onStored = () => {} }: OpenInputOptions = {},
): AsyncGenerator<Uint8Array> {
  let handle: FileHandle | undefined;
  try {
    if (file !== STDIN) handle = await open(resolve(source.cwd, file));
    const stored = handle ? readChunks(handle) : source.stdin;
    yield* refuseBinary(file, decompress(file, toBytes(stored, onStored)));
  } catch (error) {
    throw toReadError(file, error);
  } finally {
    // A reader that stops early leaves no file open, and does not wait for a pipe that is never closed.
    if (handle) await handle.close();
    else if (source.stdin instanceof Readable) source.stdin.destroy();
  }
}

async function* readChunks(handle: FileHandle): AsyncGenerator<Uint8Array> {
  const memory = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  for (;;) {
    const { bytesRead } = await handle.read(memory);
    if (bytesRead === 0) return;
    yield memory.subarray(0, bytesRead);
  }
}

async function* toBytes(
  chunks: AsyncIterable<Uint8Array | string>,
  onStored: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    onStored(bytes);
    yield bytes;
  }
}

async function* decompress(
  file: string,
  chunks: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const head = await readHead(chunks, HEAD_LENGTH);
  const all = prepend(head, chunks);
  const compression = findCompression(head);
  if (compression === undefined) return yield* all;
  const decompressor = compression.createDecompressor(file);
  // Errors of either stream come out of `decompressor` below; the callback only keeps them from throwing.
  pipeline(Readable.from(copies(all), { objectMode: false }), decompressor, () => {});
  yield* decompressor;
}

/** Copies of chunks, for a reader that asks for the next one before it is done with the last. */
async function* copies(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield Uint8Array.from(chunk);
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

/** A compression format of input files. */
export interface Compression {
  /** The first bytes of such files. */
  readonly magic: Buffer;
  /** A stream from compressed to plain bytes. Throws UserError (exit 3) where Node has none. */
  readonly createDecompressor: (file: string) => Duplex;
}

const COMPRESSIONS: readonly Compression[] = [
  // RFC 1952, section 2.3.1.
  {
    magic: Buffer.from([0x1f, 0x8b]),
    createDecompressor: () => zlib.createGunzip({ chunkSize: CHUNK_BYTES }),
  },
  // RFC 8878, section 3.1.1.
  { magic: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), createDecompressor: createZstdDecompressor },
];

/** Bytes that `findCompression` needs. */
export const HEAD_LENGTH = Math.max(...COMPRESSIONS.map(({ magic }) => magic.length));

/** How a file that begins with `head` is compressed; undefined when it is not. */
export function findCompression(head: Buffer): Compression | undefined {
  return COMPRESSIONS.find(({ magic }) => head.subarray(0, magic.length).equals(magic));
}

function createZstdDecompressor(file: string): Duplex {
  const create: unknown = Reflect.get(zlib, "createZstdDecompress");
  if (typeof create !== "function") {
    throw new UserError(
      `${displayName(file)}: zstd needs Node 22.15 or later: decompress it first`,
    );
  }
  return create({ chunkSize: CHUNK_BYTES });
}
