import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type InputSource, STDIN, toReadError } from "../../../base/files/source.js";
import { packageVersion } from "../../../base/package.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import type { EvalItemRef, EvalText } from "../../wire/decontamination/corpus.js";
import type { IndexedItems } from "../../wire/decontamination/eval-index.js";
import { createVocabulary } from "../../wire/decontamination/tokens.js";
import { openWindowIndex, type WindowTables } from "../../wire/decontamination/windows.js";
import type { EvalFile } from "./eval-items.js";

/** An evaluation set that is indexed, and the file that it was read from. */
export interface EvalSet {
  readonly indexed: IndexedItems;
  readonly file: EvalFile;
  /** Hash of the manifest of the partition whose tasks were counted. */
  readonly partition?: string | undefined;
}

/** The first line of an index file, before the hash of everything behind it. */
const FORMAT = "rollout-wire-eval-index/v1";
const HASH_LINE = new RegExp(`^${FORMAT} sha256:([0-9a-f]{64})\n`);
const HASH_LINE_LENGTH = FORMAT.length + " sha256:".length + 64 + 1;

/** Everything but the arrays, which follow in this order. Item references are those of the texts, one after the other. */
interface Header {
  /** An index belongs to one version, because another may normalise words in another way. */
  readonly version: string;
  readonly file: EvalFile;
  readonly partition?: string | undefined;
  readonly itemCount: number;
  readonly n: number;
  readonly words: readonly string[];
  readonly items: readonly StoredItem[];
  readonly emptyItems: readonly StoredItem[];
  /** Absent if no tasks were counted. */
  readonly tasks?: number | undefined;
  /** Widths of the tables of windows. */
  readonly widths: readonly number[];
  /** Lengths of the arrays: tokens, texts, next equal windows, counts, and the slots of each table. */
  readonly lengths: readonly number[];
}

type StoredItem = readonly [file: string, line: number, id: string];

/** Numbers of a text: its start, its end and how many items have it. */
const TEXT_WIDTH = 3;

/** Creates the content of an index file: 20 to 30 bytes per word of the set. */
export function encodeEvalSet({ indexed, file, partition }: EvalSet): Uint8Array[] {
  const { corpus, windows, counts } = indexed;
  const { n, nextEqual, slots } = windows.tables;
  const texts = corpus.texts.flatMap(({ start, end, items }) => [start, end, items.length]);
  const repeated = [...(counts?.repeated ?? [])].flat();
  const arrays = [corpus.tokens, Int32Array.from(texts), nextEqual, Int32Array.from(repeated)];
  arrays.push(...slots.values());
  const header: Header = {
    version: packageVersion(),
    file,
    partition,
    itemCount: corpus.itemCount,
    n,
    words: corpus.vocabulary.words,
    items: corpus.texts.flatMap(({ items }) => items.map(toStored)),
    emptyItems: corpus.emptyItems.map(toStored),
    tasks: counts?.tasks,
    widths: [...slots.keys()],
    lengths: arrays.map(({ length }) => length),
  };
  const body = [
    Buffer.from(`${JSON.stringify(header)}\n`),
    ...arrays.map(({ buffer, byteOffset, byteLength }) =>
      Buffer.from(buffer, byteOffset, byteLength),
    ),
  ];
  return [Buffer.from(`${FORMAT} sha256:${hashOf(body)}\n`), ...body];
}

/**
 * Reads an index file. Throws UserError (exit 3) if it cannot be read, is no index file, was damaged, or was written by
 * another version, and (exit 2) for standard input.
 */
export function readEvalSet(file: string, { cwd }: InputSource): EvalSet {
  if (file === STDIN) throw new UserError("--eval-index -: name a file", EXIT.usage);
  let bytes: Buffer;
  try {
    bytes = readFileSync(resolve(cwd, file));
  } catch (error) {
    throw toReadError(file, error);
  }
  const [, hash] = HASH_LINE.exec(bytes.toString("latin1", 0, HASH_LINE_LENGTH)) ?? [];
  if (hash === undefined) {
    throw new UserError(`${file}: no index of evaluation items: ${CREATE}`);
  }
  const body = bytes.subarray(HASH_LINE_LENGTH);
  if (hashOf([body]) !== hash) throw new UserError(`${file}: damaged: ${CREATE} again`);
  const headerEnd = body.indexOf("\n");
  const header: Header = JSON.parse(body.toString("utf8", 0, headerEnd));
  if (header.version !== packageVersion()) {
    const versions = `written by rollout-wire ${header.version}, this is ${packageVersion()}`;
    throw new UserError(`${file}: ${versions}: ${CREATE} again`);
  }
  const indexed = decode(header, body.subarray(headerEnd + 1));
  return { indexed, file: header.file, partition: header.partition };
}

const CREATE = "create it with shard index";

function decode(header: Header, body: Uint8Array): IndexedItems {
  const all = new Int32Array(Uint8Array.from(body).buffer);
  let offset = 0;
  const [tokens, texts, nextEqual, counts, ...slots] = header.lengths.map((length) => {
    offset += length;
    return all.subarray(offset - length, offset);
  });
  if (!(tokens && texts && nextEqual && counts)) throw new RangeError("an array is missing");
  const { itemCount, n, tasks } = header;
  const corpus = {
    itemCount,
    emptyItems: header.emptyItems.map(toItem),
    texts: decodeTexts(texts, header.items.map(toItem)),
    tokens,
    vocabulary: createVocabulary(header.words),
  };
  const tables: WindowTables = {
    n,
    nextEqual,
    slots: new Map(slots.map((array, index) => [header.widths[index] ?? n, array])),
  };
  const windows = openWindowIndex(corpus, tables);
  if (tasks === undefined) return { corpus, windows };
  return { corpus, windows, counts: { tasks, repeated: decodePairs(counts) } };
}

function decodeTexts(rows: Int32Array, items: readonly EvalItemRef[]): EvalText[] {
  let taken = 0;
  return Array.from({ length: rows.length / TEXT_WIDTH }, (_, text) => {
    const [start = 0, end = 0, count = 0] = rows.subarray(TEXT_WIDTH * text);
    taken += count;
    return { start, end, items: items.slice(taken - count, taken) };
  });
}

function decodePairs(numbers: Int32Array): Map<number, number> {
  const pairs = new Map<number, number>();
  for (let at = 0; at < numbers.length; at += 2) pairs.set(numbers[at] ?? 0, numbers[at + 1] ?? 0);
  return pairs;
}

function toStored({ file, line, id }: EvalItemRef): StoredItem {
  return [file, line, id];
}

function toItem([file, line, id]: StoredItem): EvalItemRef {
  return { file, line, id };
}

function hashOf(parts: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}
