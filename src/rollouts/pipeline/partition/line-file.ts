import { rmSync } from "node:fs";
import { ScratchFile } from "../../../base/files/scratch-file.js";
import { compareKeys, type RolloutKey } from "./key.js";

/** A line and where it goes. */
export interface PlacedLine {
  /** The `high` of its own key, unless its rollout stays with another: then that one's. */
  readonly home: number;
  readonly key: RolloutKey;
  readonly line: Uint8Array;
}

/** The order of lines: by home, then by rollout. */
export function compareLines(a: PlacedLine, b: PlacedLine): number {
  return a.home - b.home || compareKeys(a.key, b.key);
}

/** Bytes of each number of a key, and of the length of a line. */
const NUMBER_BYTES = 6;
const HEAD_BYTES = 4 * NUMBER_BYTES;

/** Bytes that are read at a time, unless a line is longer. */
const CHUNK_BYTES = 2 ** 18;

/** Lines in a temporary file, in the order in which they were added. It is created only when memory does not hold them. */
export class LineFile {
  readonly #path: string;
  readonly #pendingBytes: number;
  #file: ScratchFile | undefined;
  #pending: Buffer | undefined;
  #used = 0;

  /** `pendingBytes` are kept in memory before they are written. */
  constructor(path: string, pendingBytes: number) {
    this.#path = path;
    this.#pendingBytes = pendingBytes;
  }

  /** Size in bytes. */
  get length(): number {
    return (this.#file?.length ?? 0) + this.#used;
  }

  /** Throws UserError (exit 3) if the file cannot be created or the disk is full. */
  add({ home, key: { high, low }, line }: PlacedLine): void {
    const length = HEAD_BYTES + line.length;
    if (this.#used + length > this.#pendingBytes) this.#flush();
    const buffer = length > this.#pendingBytes ? Buffer.allocUnsafe(length) : this.#memory();
    let at = this.#used;
    for (const number of [home, high, low, line.length]) {
      at = buffer.writeUIntBE(number, at, NUMBER_BYTES);
    }
    buffer.set(line, at);
    if (buffer === this.#pending) this.#used += length;
    else this.#write(buffer);
  }

  /** Yields the lines. They stay valid. `chunkBytes` are read at a time. */
  *read(chunkBytes: number = CHUNK_BYTES): Generator<PlacedLine> {
    const file = this.#file;
    if (file !== undefined) this.#flush();
    const stored = file?.length ?? 0;
    let chunk = this.#pending?.subarray(0, this.#used) ?? Buffer.alloc(0);
    let at = 0;
    let offset = 0;
    const fill = (needed: number): boolean => {
      if (chunk.length - at >= needed) return true;
      const rest = chunk.subarray(at);
      const more = Math.min(Math.max(chunkBytes, needed) - rest.length, stored - offset);
      if (file === undefined || rest.length + more < needed) return false;
      const next = Buffer.allocUnsafe(rest.length + more);
      next.set(rest);
      offset += file.readAt(offset, next.subarray(rest.length));
      [chunk, at] = [next, 0];
      return true;
    };
    const readNumber = (): number => {
      at += NUMBER_BYTES;
      return chunk.readUIntBE(at - NUMBER_BYTES, NUMBER_BYTES);
    };
    while (fill(HEAD_BYTES)) {
      const home = readNumber();
      const key = { high: readNumber(), low: readNumber() };
      const length = readNumber();
      if (!fill(length)) throw new RangeError(`${this.#path} ends within a line`);
      at += length;
      yield { home, key, line: chunk.subarray(at - length, at) };
    }
  }

  /** Removes all lines. */
  clear(): void {
    this.#file?.clear();
    this.#used = 0;
  }

  close(): void {
    this.#file?.close();
  }

  /** Closes and deletes the file. */
  remove(): void {
    this.close();
    rmSync(this.#path, { force: true });
  }

  #memory(): Buffer {
    this.#pending ??= Buffer.allocUnsafe(this.#pendingBytes);
    return this.#pending;
  }

  #flush(): void {
    if (this.#pending === undefined || this.#used === 0) return;
    this.#write(this.#pending.subarray(0, this.#used));
    this.#used = 0;
  }

  #write(bytes: Buffer): void {
    this.#file ??= new ScratchFile(this.#path);
    this.#file.write(bytes);
  }
}
