import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isRereadable } from "../files/inputs.js";
import { openInput, prepend, readHead } from "../files/open-input.js";
import { ScratchFile } from "../files/scratch-file.js";
import { displayName, type InputSource, STDIN, toReadError } from "../files/source.js";
import { isZip, listZip, readZipEntry } from "../files/zip.js";
import { UserError } from "../user-error.js";
import { cutBlocks, type LineBlock } from "./blocks.js";
import type { BufferPool } from "./buffer-pool.js";
import { cutDocument, DOCUMENT_HEAD, isDocument } from "./document.js";

/** Bytes of lines that a thread processes at a time: large enough to outweigh the cost of a message. */
export const BLOCK_BYTES = 2 ** 20;

/** A block of lines and the file that it comes from. */
export interface FileBlock {
  /** Index of the file among the inputs. */
  readonly input: number;
  /** The file as the user named it, or `<stdin>`. */
  readonly file: string;
  readonly block: LineBlock;
}

export interface FileBlocksOptions {
  /** Minimum size of a block, except the last of a file. */
  readonly blockBytes?: number | undefined;
  /** Whether the records of a `.json` file that is one JSON text are read one by one, instead of its lines. */
  readonly documents?: boolean | undefined;
  /** Which entries of a ZIP archive are read, each as a file of its own. Default: archives are binary data. */
  readonly entries?: RegExp | undefined;
  /** Allocates the memory of the blocks. */
  readonly memory?: BufferPool | undefined;
  /** Whether the nulls of Parquet are kept. Default false. */
  readonly keepsNulls?: boolean | undefined;
  /** Whether the stored bytes are hashed. */
  readonly hashes?: boolean | undefined;
  /** An existing folder for copies of inputs that cannot be read again. Undefined: they are not copied. */
  readonly copies?: string | undefined;
  /** Whether the rest of a file is not read. Asked before its first block, and after each. */
  readonly isDone?: ((input: number) => boolean) | undefined;
  /** Called with every chunk of a file as it is stored. */
  readonly onStored?: ((input: number, chunk: Uint8Array) => void) | undefined;
}

/** An input that can be read again. */
export interface RereadableInput {
  /** As the user named it, or `<stdin>`. */
  readonly file: string;
  /** Absolute path of its decompressed bytes. */
  readonly path: string;
  /** Whether these are a copy of its blocks. */
  readonly isCopy?: boolean;
}

/** An input as it was read. */
export interface ReadInput {
  /** The file as the user named it, or `<stdin>`. */
  readonly file: string;
  /** Size as stored, compressed or not. */
  readonly bytes: number;
  /** `sha256:` and the hexadecimal hash of those bytes; undefined if not requested. */
  readonly hash: string | undefined;
}

/** The blocks of several files, and what is known of the files that were read. */
export class FileBlocks {
  /**
   * By index, the files whose blocks were read, and that can be read again. Standard input, pipes and compressed files
   * cannot, unless there is a folder for copies.
   */
  readonly rereadable = new Map<number, RereadableInput>();
  readonly #source: InputSource;
  readonly #options: FileBlocksOptions;
  readonly #files: readonly {
    readonly name: string;
    bytes: number;
    readonly hash: Hash | undefined;
  }[];

  constructor(files: readonly string[], source: InputSource, options: FileBlocksOptions = {}) {
    this.#source = source;
    this.#options = options;
    this.#files = files.map((name) => {
      return { name, bytes: 0, hash: options.hashes ? createHash("sha256") : undefined };
    });
  }

  /** All files, as far as they were read. */
  get inputs(): readonly ReadInput[] {
    return this.#files.map(({ name, bytes, hash }) => {
      const digest = hash?.copy().digest("hex");
      return { file: displayName(name), bytes, hash: digest && `sha256:${digest}` };
    });
  }

  /** Yields the blocks in order. Throws UserError (exit 3) if a file cannot be read, or a copy not be written. */
  async *read(): AsyncGenerator<FileBlock> {
    for (const [input, file] of this.#files.entries()) {
      if (this.#options.isDone?.(input) === true) continue;
      const archive = await this.#openZip(file.name);
      if (archive !== undefined) {
        yield* this.#readZip(input, file.name, archive);
        continue;
      }
      const opened = openInput(file.name, this.#source, {
        keepsNulls: this.#options.keepsNulls,
        onStored: (chunk) => {
          file.bytes += chunk.length;
          file.hash?.update(chunk);
          this.#options.onStored?.(input, chunk);
        },
      });
      let isBegun = false;
      let copy: ScratchFile | undefined;
      try {
        for await (const block of await this.#cut(file.name, opened)) {
          if (!isBegun) copy = await this.#begin(input, file.name);
          isBegun = true;
          const { bytes, offset } = block;
          // The bytes of an overlong line were dropped. It leaves a gap, so that later lines keep their offsets.
          if (bytes) copy?.write(bytes, offset);
          yield { input, file: displayName(file.name), block };
          if (this.#options.isDone?.(input) === true) break;
        }
      } finally {
        copy?.close();
      }
    }
  }

  /** An archive whose entries are read; undefined for any other file, and for one that cannot be opened. */
  async #openZip(name: string): Promise<FileHandle | undefined> {
    if (this.#options.entries === undefined || name === STDIN) return undefined;
    const handle = await open(resolve(this.#source.cwd, name)).catch(() => undefined);
    if (handle === undefined || (await isZip(handle))) return handle;
    await handle.close();
    return undefined;
  }

  async *#readZip(input: number, name: string, handle: FileHandle): AsyncGenerator<FileBlock> {
    const { entries: pattern = /./, copies, onStored, isDone } = this.#options;
    const path = join(copies ?? "", `input-${input}`);
    let copy: ScratchFile | undefined;
    try {
      const entries = (await listZip(name, handle)).filter((entry) => pattern.test(entry.name));
      if (entries.length === 0) {
        throw new UserError(`${name}: a ZIP archive without entries that match ${pattern.source}`);
      }
      if (copies !== undefined) copy = new ScratchFile(path);
      if (copy) this.rereadable.set(input, { file: displayName(name), path, isCopy: true });
      let offset = 0;
      for (const entry of entries) {
        if (isDone?.(input) === true) return;
        const bytes = await readZipEntry(name, handle, entry);
        onStored?.(input, bytes.subarray(0, Math.min(bytes.length, entry.stored)));
        copy?.write(bytes, offset);
        yield { input, file: `${name}/${entry.name}`, block: { line: 1, offset, bytes } };
        offset += entry.size;
      }
    } catch (error) {
      throw toReadError(name, error);
    } finally {
      copy?.close();
      await handle.close();
    }
  }

  async #cut(name: string, opened: AsyncGenerator<Uint8Array>): Promise<AsyncGenerator<LineBlock>> {
    const { blockBytes: minBytes = BLOCK_BYTES, documents = false, memory } = this.#options;
    const options = { minBytes, takeMemory: memory?.take };
    if (!documents || !/\.json(\.gz|\.zst)?$/i.test(name)) return cutBlocks(opened, options);
    const head = await readHead(opened, DOCUMENT_HEAD);
    const chunks = prepend([head], opened);
    return isDocument(head.subarray(0, DOCUMENT_HEAD))
      ? cutDocument(chunks, { minBytes })
      : cutBlocks(chunks, options);
  }

  /** Returns the copy of a file that cannot be read again. */
  async #begin(input: number, name: string): Promise<ScratchFile | undefined> {
    const { cwd } = this.#source;
    const { copies } = this.#options;
    const file = displayName(name);
    if (await isRereadable(name, this.#source)) {
      this.rereadable.set(input, { file, path: resolve(cwd, name) });
      return undefined;
    }
    if (copies === undefined) return undefined;
    const path = join(copies, `input-${input}`);
    this.rereadable.set(input, { file, path, isCopy: true });
    return new ScratchFile(path);
  }
}
