import { crc32 } from "node:zlib";
import { Encodings } from "hyparquet/src/constants.js";
import type { CompressionCodec, Encoding } from "hyparquet/src/types.js";
import type { ParquetSource } from "../source.js";
import { decompress } from "./codecs.js";
import { numberOf, readThrift, structOf, ThriftEndError, type ThriftStruct } from "./thrift.js";

/** A page of a column, decompressed. */
export interface Page {
  readonly isDictionary: boolean;
  /** Nulls included. */
  readonly count: number;
  readonly encoding: Encoding;
  /** Runs of repetition levels, and of definition levels; empty if the column has none. */
  readonly repetition: Uint8Array;
  readonly definition: Uint8Array;
  readonly values: Uint8Array;
}

/** Where the pages of a column chunk are, and how they are stored. */
export interface ChunkLayout {
  readonly start: number;
  readonly end: number;
  readonly codec: CompressionCodec;
  readonly hasRepetition: boolean;
  readonly hasDefinition: boolean;
}

/** Bytes that are read at a time, at least: the header of a page, and often all pages of a small column. */
const READ_BYTES = 2 ** 16;

/** The limit of Arrow's C++ library, which writers therefore keep. */
const MAX_HEADER_BYTES = 2 ** 24;

const EMPTY = new Uint8Array();

/** Reads the pages of a column chunk one by one. Nothing that their headers say is believed. */
export class PageReader {
  readonly #source: ParquetSource;
  readonly #chunk: ChunkLayout;
  /** Bytes of the chunk from `#at` on. */
  #bytes: Uint8Array = EMPTY;
  #at: number;

  constructor(source: ParquetSource, chunk: ChunkLayout) {
    this.#source = source;
    this.#chunk = chunk;
    this.#at = chunk.start;
  }

  /** Throws Error if the chunk has no other page, or the page is damaged. */
  async next(): Promise<Page> {
    const header = await this.#readHeader();
    const size = sizeField(header, 3);
    if (size > this.#chunk.end - this.#at) throw new Error("a page ends outside its column");
    await this.#load(size);
    const bytes = this.#take(size);
    // Only if the writer was asked for it.
    const checksum = numberOf(header, 4);
    if (checksum !== undefined && checksum >>> 0 !== crc32(bytes)) {
      throw new Error("a page has not the checksum that its header names");
    }
    return toPage(header, bytes, this.#chunk);
  }

  async #readHeader(): Promise<ThriftStruct> {
    for (let size = READ_BYTES / 8; ; size *= 2) {
      await this.#load(size);
      try {
        const { struct, end } = readThrift(this.#bytes, 0);
        this.#take(end);
        return struct;
      } catch (error) {
        const isCut = error instanceof ThriftEndError;
        const canGrow = size <= MAX_HEADER_BYTES && this.#bytes.length < this.#chunk.end - this.#at;
        if (!isCut || !canGrow) throw error;
      }
    }
  }

  /** Has at least `size` bytes in memory, or those up to the end of the chunk. */
  async #load(size: number): Promise<void> {
    const left = this.#chunk.end - this.#at;
    if (this.#bytes.length >= Math.min(size, left)) return;
    const start = this.#at + this.#bytes.length;
    const end = this.#at + Math.min(left, Math.max(size, READ_BYTES));
    const more = new Uint8Array(await this.#source.slice(start, end));
    this.#bytes = this.#bytes.length === 0 ? more : Buffer.concat([this.#bytes, more]);
  }

  #take(size: number): Uint8Array {
    const taken = this.#bytes.subarray(0, size);
    this.#bytes = this.#bytes.subarray(size);
    this.#at += size;
    return taken;
  }
}

/** The ids of the fields are those of parquet.thrift. */
function toPage(header: ThriftStruct, bytes: Uint8Array, chunk: ChunkLayout): Page {
  const size = sizeField(header, 2);
  switch (numberOf(header, 1)) {
    case 0:
      return toDataPage(structOf(header, 5), decompress(chunk.codec, bytes, size), chunk);
    case 2:
      return toDictionary(structOf(header, 7), decompress(chunk.codec, bytes, size));
    case 3:
      return toDataPageV2(structOf(header, 8), bytes, size, chunk);
    default:
      throw new Error("a page is of an unknown type");
  }
}

function toDictionary(header: ThriftStruct = new Map(), values: Uint8Array): Page {
  const encoding = encodingField(header, 2);
  if (encoding !== "PLAIN" && encoding !== "PLAIN_DICTIONARY") {
    throw new Error(`unsupported encoding of a dictionary: ${encoding}`);
  }
  const count = sizeField(header, 1);
  return { isDictionary: true, count, encoding, repetition: EMPTY, definition: EMPTY, values };
}

function toDataPage(
  header: ThriftStruct = new Map(),
  bytes: Uint8Array,
  { hasRepetition, hasDefinition }: ChunkLayout,
): Page {
  let at = 0;
  const takeLevels = (encoding: number): Uint8Array => {
    if (encodingField(header, encoding) !== "RLE")
      throw new Error("unsupported encoding of levels");
    const start = at + 4;
    at = start + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).readUInt32LE(at);
    if (at > bytes.length) throw new Error("a page ends within its levels");
    return bytes.subarray(start, at);
  };
  const repetition = hasRepetition ? takeLevels(4) : EMPTY;
  const definition = hasDefinition ? takeLevels(3) : EMPTY;
  return {
    isDictionary: false,
    count: sizeField(header, 1),
    encoding: encodingField(header, 2),
    repetition,
    definition,
    values: bytes.subarray(at),
  };
}

function toDataPageV2(
  header: ThriftStruct = new Map(),
  bytes: Uint8Array,
  size: number,
  { codec }: ChunkLayout,
): Page {
  const first = sizeField(header, 6);
  const levels = first + sizeField(header, 5);
  if (levels > bytes.length || levels > size) throw new Error("a page ends within its levels");
  const isCompressed = header.get(7) !== false;
  return {
    isDictionary: false,
    count: sizeField(header, 1),
    encoding: encodingField(header, 4),
    repetition: bytes.subarray(0, first),
    definition: bytes.subarray(first, levels),
    values: decompress(
      isCompressed ? codec : "UNCOMPRESSED",
      bytes.subarray(levels),
      size - levels,
    ),
  };
}

function sizeField(header: ThriftStruct, id: number): number {
  const size = numberOf(header, id);
  if (size === undefined || size < 0 || size >= 2 ** 31) {
    throw new Error("the header of a page lacks a size");
  }
  return size;
}

function encodingField(header: ThriftStruct, id: number): Encoding {
  const encoding = Encodings[numberOf(header, id) ?? -1];
  if (encoding === undefined) throw new Error("the header of a page lacks an encoding");
  return encoding;
}
