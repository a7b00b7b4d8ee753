import { type FileHandle, open } from "node:fs/promises";
import { resolve } from "node:path";
import { type Duplex, pipeline, Readable } from "node:stream";
import * as zlib from "node:zlib";
import { UserError } from "../user-error.js";
import { isParquet, PARQUET_MAGIC, readParquet } from "./parquet-input.js";
import { displayName, type InputSource, STDIN, toReadError } from "./source.js";

/** Bytes per read: large enough that the cost per chunk is negligible beside the cost of its lines. */
const CHUNK_BYTES = 2 ** 18;

interface OpenInputOptions {
  /** Called with every chunk as it is stored, before decompression. */
  readonly onStored?: ((chunk: Uint8Array) => void) | undefined;
  /** Whether the nulls of Parquet are printed, as Python reads them, instead of left out. Default false. */
  readonly keepsNulls?: boolean | undefined;
}

/**
 * Yields the bytes of `file`, decompressed if its content is gzip or zstd, and as lines of JSON if it is Parquet, whatever
 * its name; `-` is standard input. A chunk is valid until the next one is requested, because its memory is reused.
 *
 * Throws UserError (exit 3) if the file is missing, a directory, unreadable, damaged, or binary (a NUL byte in
 * its first line), for zstd if Node does not support it (before 22.15), and for Parquet in a pipe.
 */
export async function* openInput(
  file: string,
  source: InputSource,
  { onStored = () => {}, keepsNulls = false }: OpenInputOptions = {},
): AsyncGenerator<Uint8Array> {
  let handle: FileHandle | undefined;
  try {
    if (file !== STDIN) handle = await open(resolve(source.cwd, file));
    if (handle !== undefined && (await isParquet(handle))) {
      return yield* readParquet(file, handle, onStored, keepsNulls);
    }
    const stored = handle ? readChunks(handle) : source.stdin;
    yield* refuseBinary(file, decompress(file, toBytes(stored, onStored)));
  } catch (error) {
    throw toReadError(file, error);
  } finally {
    // Also runs if the reader stops early. Then the file is closed, without waiting for a pipe that never ends.
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
  for await (const chunk of toWholeCharacters(chunks)) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    onStored(bytes);
    yield bytes;
  }
}

/** Text may be cut between the two halves of a character, which have no bytes of their own: they are joined. */
async function* toWholeCharacters(
  chunks: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<Uint8Array | string> {
  let half = "";
  for await (const chunk of chunks) {
    if (typeof chunk === "string") {
      const text = half + chunk;
      half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : "";
      yield text.slice(0, text.length - half.length);
    } else {
      if (half !== "") yield half;
      half = "";
      yield chunk;
    }
  }
  if (half !== "") yield half;
}

async function* decompress(
  file: string,
  chunks: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const head = await readHead(chunks, HEAD_LENGTH);
  const all = prepend([head], chunks);
  if (head.subarray(0, PARQUET_MAGIC.length).equals(PARQUET_MAGIC)) throw pipedParquetError(file);
  const compression = findCompression(head);
  if (compression === undefined) return yield* all;
  const decompressor = compression.createDecompressor(file);
  // Errors of both streams are thrown by `decompressor` below. The callback keeps them from becoming unhandled.
  pipeline(Readable.from(copies(all), { objectMode: false }), decompressor, () => {});
  yield* decompressor;
}

function pipedParquetError(file: string): UserError {
  return new UserError(
    `${displayName(file)}: Parquet is read from its end, which a pipe does not have: write it to a file, and give that`,
  );
}

/** Copies chunks for a consumer that requests the next one while it still uses the last. */
async function* copies(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield Uint8Array.from(chunk);
}

/** Reads until `length` bytes are available or the input ends: a pipe may deliver its bytes one by one. */
export async function readHead(
  chunks: AsyncGenerator<Uint8Array>,
  length: number,
): Promise<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < length) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    head = Buffer.concat([head, value]);
  }
  return head;
}

/** Yields what was read of a stream ahead, and the rest. */
export async function* prepend<Item>(
  heads: Item[],
  rest: AsyncGenerator<Item>,
): AsyncGenerator<Item> {
  try {
    // Removed one by one, because they may be large.
    for (let head = heads.shift(); head !== undefined; head = heads.shift()) yield head;
    yield* rest;
  } finally {
    // A reader that stops at the heads would leave the rest open.
    await rest.return(undefined);
  }
}

/** A NUL in a later line is what a crash left there: an error of that line. */
function firstLine(chunk: Uint8Array): Uint8Array {
  const end = chunk.indexOf(NEWLINE);
  return end < 0 ? chunk : chunk.subarray(0, end);
}

async function* refuseBinary(
  file: string,
  chunks: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let first = true;
  for await (const chunk of chunks) {
    if (first && firstLine(chunk).includes(0)) {
      throw new UserError(`${displayName(file)}: binary data or UTF-16 text: convert it to UTF-8`);
    }
    first = false;
    yield chunk;
  }
}

const NEWLINE = 0x0a;

/** A compression format of input files. */
export interface Compression {
  /** The first bytes of such files. */
  readonly magic: Buffer;
  /** Creates a stream that decompresses. Throws UserError (exit 3) if this version of Node has none. */
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

/** Number of bytes that `findCompression` needs. */
export const HEAD_LENGTH = Math.max(...COMPRESSIONS.map(({ magic }) => magic.length));

/** Detects the compression of a file by its first bytes; undefined if it is not compressed. */
export function findCompression(head: Buffer): Compression | undefined {
  return COMPRESSIONS.find(({ magic }) => head.subarray(0, magic.length).equals(magic));
}

function createZstdDecompressor(file: string): Duplex {
  const create: unknown = Reflect.get(zlib, "createZstdDecompress");
  if (typeof create !== "function") {
    const name = file === STDIN ? "" : ` ${file}`;
    throw new UserError(
      `${displayName(file)}: zstd is not supported by this Node (22.15 or later has it): zstd -dc${name} | rollout-wire ... -`,
    );
  }
  return create({ chunkSize: CHUNK_BYTES });
}
