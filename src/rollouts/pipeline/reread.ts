import { closeSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { RolloutBranch } from "#generated/index.js";
import { toReadError } from "../../base/files/source.js";
import { blockLines, type SourceLine } from "../../base/jsonl/blocks.js";
import { flattenRecord } from "../../base/jsonl/document.js";
import type { RereadableInput } from "../../base/jsonl/file-blocks.js";
import { type ParsedRecord, type RecordLine, toRecordLine } from "../../base/jsonl/reader.js";
import { UserError } from "../../base/user-error.js";
import type { RolloutBuilder } from "./builder.js";
import type { LinePosition } from "./positions.js";

/** Position of a line in an input. If it has a checksum, the bytes must be the same when they are read again. */
type LinePlace = Pick<LinePosition, "input" | "offset" | "length" | "line" | "column"> &
  Partial<Pick<LinePosition, "checksum">>;

/** Maximum number of open files per reader. A process may have as few as 256, and each thread has a reader. */
const MAX_OPEN = 32;

/** Rereads single lines of the inputs. Opens each input on first use. */
export class LineReader {
  readonly #inputs: ReadonlyMap<number, RereadableInput>;
  readonly #descriptors = new Map<number, number>();

  /** `inputs` by index. */
  constructor(inputs: ReadonlyMap<number, RereadableInput>) {
    this.#inputs = inputs;
  }

  /** The file as the user named it; undefined if it cannot be read again. */
  nameOf(input: number): string | undefined {
    return this.#inputs.get(input)?.file;
  }

  canRead(input: number): boolean {
    return this.#inputs.has(input);
  }

  /** Throws UserError (exit 3) if the input cannot be read or its bytes have changed. */
  read<Place extends LinePlace>(position: Place): StoredLine<Place> {
    const input = this.#inputs.get(position.input);
    if (input === undefined) throw new RangeError(`there is no input ${position.input}`);
    const stored = new Uint8Array(new ArrayBuffer(position.length));
    try {
      const descriptor = this.#open(position.input, input.path);
      for (let at = 0; at < stored.length; ) {
        const count = readSync(descriptor, stored, at, stored.length - at, position.offset + at);
        if (count === 0) throw new UserError(`${input.file}: was truncated while being read`);
        at += count;
      }
    } catch (error) {
      throw toReadError(input.file, error);
    }
    if (position.column !== undefined && !input.isCopy) flattenRecord(stored);
    if (position.checksum !== undefined && crc32(stored) !== position.checksum) {
      throw new UserError(`${input.file}:${position.line}: changed while being read`);
    }
    return { file: input.file, position, stored };
  }

  /** Reads the record of a line. If the input cannot be read again, only its position is returned. */
  readRecord(file: string, place: LinePlace): RecordLine {
    if (!this.canRead(place.input)) return toUnreadRecord(file, place.line);
    const { stored } = this.read(place);
    const source = toSource(place, stored);
    return source ? toRecordLine(file, source) : toUnreadRecord(file, place.line);
  }

  /** Closes all files. A later read reopens its file. */
  close(): void {
    for (const descriptor of this.#descriptors.values()) closeSync(descriptor);
    this.#descriptors.clear();
  }

  #open(input: number, path: string): number {
    const known = this.#descriptors.get(input);
    if (known !== undefined) return known;
    if (this.#descriptors.size >= MAX_OPEN) this.close();
    const descriptor = openSync(path, "r");
    this.#descriptors.set(input, descriptor);
    return descriptor;
  }
}

export function toSource(
  { line, offset, column }: Pick<LinePlace, "line" | "offset" | "column">,
  stored: Uint8Array<ArrayBuffer>,
): SourceLine | undefined {
  const [source] = blockLines({ line, offset, bytes: stored });
  return source && { ...source, column };
}

/** A line whose text is unknown: findings about it get column 1. */
export function toUnreadRecord(file: string, line: number): RecordLine {
  return { file, line, byteLength: 0, fault: { id: "json", column: 1, message: "" } };
}

/** A line as stored in its file. */
export interface StoredLine<Place extends LinePlace = LinePosition> {
  /** The file as the user named it, or `<stdin>`. */
  readonly file: string;
  readonly position: Place;
  /** The bytes without the newline. */
  readonly stored: Uint8Array<ArrayBuffer>;
}

/** A valid branch and its line. */
export interface BranchLine {
  readonly branch: RolloutBranch;
  readonly record: ParsedRecord;
  readonly position: LinePosition;
  readonly stored: Uint8Array;
}

/** The lines of rollouts with the same hash. */
export interface RolloutLines {
  readonly branches: readonly BranchLine[];
  /** Number of branches that were left out as invalid. */
  readonly lost: number;
}

/** Parses lines that were validated before. */
export function parseStored(lines: readonly StoredLine[], builder: RolloutBuilder): RolloutLines {
  const kept = lines.filter(({ position }) => position.length > 0);
  const branches = kept.map(({ file, position, stored }) => {
    const { line } = position;
    const source = toSource(position, stored);
    const record = source && builder.reader.read(file, source);
    const branch = record && "value" in record ? builder.read(record) : undefined;
    if (record === undefined || !("value" in record) || branch === undefined) {
      throw new TypeError(`${file}:${line}: is no longer a valid branch`);
    }
    return { branch, record, position, stored };
  });
  return { branches, lost: lines.length - kept.length };
}
