import { convert } from "hyparquet/src/convert.js";
import { byteStreamSplit } from "hyparquet/src/encoding.js";
import { readPlain } from "hyparquet/src/plain.js";
import type { ColumnDecoder, DecodedArray, Encoding } from "hyparquet/src/types.js";
import { DeltaReader, readLengths } from "./deltas.js";
import { RunReader } from "./runs.js";

/** Values that are decoded at a time: few, as texts may be long. A multiple of 8, the booleans in a byte. */
const BATCH = 64;

/** No decimal number has more bytes: converting one takes the square of their number. */
const MAX_DECIMAL_BYTES = 64;

/** Encoded values, of which `count` are not null. */
interface EncodedValues {
  readonly bytes: Uint8Array;
  readonly encoding: Encoding;
  readonly count: number;
}

/** The values of a page, decoded one by one. */
export class PageValues {
  readonly #decoder: ColumnDecoder;
  readonly #read: (count: number) => DecodedArray;
  readonly #isConverted: boolean;
  #left: number;
  #batch: DecodedArray = [];
  #at = 0;

  constructor(page: EncodedValues, decoder: ColumnDecoder, dictionary: DecodedArray | undefined) {
    this.#decoder = decoder;
    this.#isConverted = page.encoding.endsWith("_DICTIONARY");
    this.#read = createReader(page, decoder, dictionary);
    this.#left = page.count;
  }

  next(): unknown {
    if (this.#at === this.#batch.length) {
      const count = Math.min(BATCH, this.#left);
      if (count === 0) throw new Error("a page has fewer values than its levels say");
      const values = this.#read(count);
      this.#batch = this.#isConverted ? values : convertValues(values, this.#decoder);
      this.#left -= count;
      this.#at = 0;
    }
    const value: unknown = this.#batch[this.#at];
    this.#at += 1;
    return value;
  }
}

/** The values of a dictionary. */
export function readDictionary(
  bytes: Uint8Array,
  count: number,
  decoder: ColumnDecoder,
): DecodedArray {
  const read = createPlainReader({ bytes, encoding: "PLAIN", count }, decoder);
  return convertValues(read(count), decoder);
}

function convertValues(values: DecodedArray, decoder: ColumnDecoder): DecodedArray {
  if (decoder.element.converted_type === "DECIMAL") {
    for (const value of values) {
      if (value instanceof Uint8Array && value.length > MAX_DECIMAL_BYTES) {
        throw new Error(`a decimal number has ${value.length} bytes`);
      }
    }
  }
  return convert(values, decoder);
}

type Reader = (count: number) => DecodedArray;

function createReader(
  page: EncodedValues,
  decoder: ColumnDecoder,
  dictionary: DecodedArray | undefined,
): Reader {
  const { type } = decoder;
  switch (page.encoding) {
    case "PLAIN":
      return createPlainReader(page, decoder);
    case "PLAIN_DICTIONARY":
    case "RLE_DICTIONARY":
      if (dictionary === undefined)
        throw new Error("a page refers to a dictionary that is not there");
      return createDictionaryReader(page, dictionary);
    case "RLE":
      if (type === "BOOLEAN") return createBooleanReader(page);
      break;
    case "DELTA_BINARY_PACKED":
      if (type === "INT32" || type === "INT64") return createDeltaReader(page, type);
      break;
    case "DELTA_LENGTH_BYTE_ARRAY":
      if (type === "BYTE_ARRAY") return createDeltaLengthReader(page);
      break;
    case "DELTA_BYTE_ARRAY":
      if (type.endsWith("BYTE_ARRAY")) return createPrefixReader(page);
      break;
    case "BYTE_STREAM_SPLIT":
      return createSplitReader(page, decoder);
  }
  throw new Error(`unsupported encoding: ${page.encoding} of ${type}`);
}

function createPlainReader(
  { bytes, count }: EncodedValues,
  { type, element }: ColumnDecoder,
): Reader {
  if (type === "BYTE_ARRAY") return createTextReader(bytes, count);
  const width = type === "BOOLEAN" ? 1 / 8 : widthOf(type, element.type_length);
  checkSize(bytes, Math.ceil(count * width));
  const reader = { view: viewOf(bytes), offset: 0 };
  return (size) => readPlain(reader, type, size, element.type_length);
}

function createTextReader(bytes: Uint8Array, count: number): Reader {
  const view = viewOf(bytes);
  let at = 0;
  let left = count;
  return (size) => {
    const values: Uint8Array[] = [];
    while (values.length < size) {
      const start = at + 4;
      at = start + view.getUint32(at, true);
      if (at > bytes.length) throw new Error("a page ends within its values");
      values.push(bytes.subarray(start, at));
    }
    left -= size;
    if (left === 0 && at !== bytes.length)
      throw new Error("a page has more values than its levels say");
    return values;
  };
}

function createDictionaryReader({ bytes, count }: EncodedValues, dictionary: DecodedArray): Reader {
  const width = bytes[0] ?? 0;
  if (count > 0 && dictionary.length === 0) throw new Error("a page refers to an empty dictionary");
  const indices = new RunReader(bytes.subarray(1), width, dictionary.length - 1);
  return (size) => Array.from({ length: size }, () => dictionary[width === 0 ? 0 : indices.next()]);
}

function createBooleanReader({ bytes, count }: EncodedValues): Reader {
  const length = count === 0 ? 0 : viewOf(bytes).getUint32(0, true);
  const bits = new RunReader(bytes.subarray(4, 4 + length), 1, 1);
  return (size) => Array.from({ length: size }, () => bits.next() === 1);
}

function createDeltaReader({ bytes, count }: EncodedValues, type: "INT32" | "INT64"): Reader {
  const reader = new DeltaReader(bytes, 0, count);
  return type === "INT32"
    ? (size) => Int32Array.from({ length: size }, () => Number(BigInt.asIntN(32, reader.next())))
    : (size) => BigInt64Array.from({ length: size }, () => reader.next());
}

function createDeltaLengthReader({ bytes, count }: EncodedValues): Reader {
  const { lengths, end } = readLengths(bytes, 0, count);
  const take = createSlicer(bytes, end);
  let next = 0;
  return (size) => Array.from({ length: size }, () => take(lengths[next++] ?? 0));
}

/** Texts that share their beginnings with the one before. */
function createPrefixReader({ bytes, count }: EncodedValues): Reader {
  const prefixes = readLengths(bytes, 0, count);
  const suffixes = readLengths(bytes, prefixes.end, count);
  const take = createSlicer(bytes, suffixes.end);
  let next = 0;
  let last = new Uint8Array();
  const read = (): Uint8Array => {
    const prefix = prefixes.lengths[next] ?? 0;
    const suffix = take(suffixes.lengths[next] ?? 0);
    if (prefix > last.length) throw new Error("a page has a text with a beginning of no text");
    next += 1;
    const value = new Uint8Array(prefix + suffix.length);
    value.set(last.subarray(0, prefix));
    value.set(suffix, prefix);
    last = value;
    return value;
  };
  return (size) => Array.from({ length: size }, read);
}

function createSlicer(bytes: Uint8Array, start: number): (length: number) => Uint8Array {
  let at = start;
  return (length) => {
    at += length;
    if (at > bytes.length) throw new Error("a page ends within its values");
    return bytes.subarray(at - length, at);
  };
}

function createSplitReader(
  { bytes, count }: EncodedValues,
  { type, element }: ColumnDecoder,
): Reader {
  checkSize(bytes, count * widthOf(type, element.type_length));
  const values = byteStreamSplit(
    { view: viewOf(bytes), offset: 0 },
    count,
    type,
    element.type_length,
  );
  let at = 0;
  return (size) => {
    at += size;
    return values.slice(at - size, at);
  };
}

function widthOf(type: ColumnDecoder["type"], length: number | undefined): number {
  const widths = { INT32: 4, FLOAT: 4, INT64: 8, DOUBLE: 8, INT96: 12 } as const;
  if (type !== "FIXED_LEN_BYTE_ARRAY") return widths[type as keyof typeof widths] ?? NaN;
  if (length === undefined || length < 1) throw new Error("a column has values of no length");
  return length;
}

function checkSize(bytes: Uint8Array, expected: number): void {
  if (bytes.length !== expected) {
    throw new Error(`a page has ${bytes.length} bytes of values instead of ${expected}`);
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
