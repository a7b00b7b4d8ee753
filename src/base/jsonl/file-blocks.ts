import { createHash, type Hash } from "node:crypto";
import { join, resolve } from "node:path";
import { isRereadable } from "../files/inputs.js";
import { openInput } from "../files/open-input.js";
import { ScratchFile } from "../files/scratch-file.js";
import { displayName, type InputSource } from "../files/source.js";
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
  /** Allocates the memory of the blocks. */
  readonly memory?: BufferPool | undefined;
  /** Called with every chunk of a file as it is stored. */
  readonly onStored?: ((input: number, chunk: Uint8Array) => void) | undefined;
}

/** Yields the blocks of several files, in order. Throws UserError (exit 3) if a file cannot be read. */
export async function* fileBlocks(
  files: readonly string[],
  source: InputSource,
  {
    blockBytes = BLOCK_BYTES,
    documents = false,
    memory,
    onStored = () => {},
  }: FileBlocksOptions = {},
): AsyncGenerator<FileBlock> {
  for (const [input, file] of files.entries()) {
    const opened = openInput(file, source, { onStored: (chunk) => onStored(input, chunk) });
    const mayBeDocument = documents && /\.json(\.gz|\.zst)?$/i.test(file);
    const { head, chunks } = mayBeDocument
      ? await readHead(opened)
      : { head: undefined, chunks: opened };
    const blocks =
      head !== undefined && isDocument(head)
        ? cutDocument(chunks, { minBytes: blockBytes })
        : cutBlocks(chunks, { minBytes: blockBytes, takeMemory: memory?.take });
    for await (const block of blocks) yield { input, file: displayName(file), block };
  }
}

/** The beginning of a stream, and the whole stream. */
async function readHead(stream: AsyncGenerator<Uint8Array>): Promise<{
  readonly head: Uint8Array;
  readonly chunks: AsyncGenerator<Uint8Array>;
}> {
  const parts: Uint8Array[] = [];
  let length = 0;
  while (length < DOCUMENT_HEAD) {
    const { value, done } = await stream.next();
    if (done === true) break;
    parts.push(Uint8Array.from(value));
    length += value.length;
  }
  const head = Buffer.concat(parts);
  return { head: head.subarray(0, DOCUMENT_HEAD), chunks: prepend(head, stream) };
}

async function* prepend(
  head: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield head;
    yield* rest;
  } finally {
    // The file is open even if only the head was consumed.
    await rest.return(undefined);
  }
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

/**
 * Records which inputs can be read again while their blocks pass. Standard input, pipes and compressed files
 * cannot. They are copied if there is a folder for the copies; otherwise they cannot be reread.
 */
export class RereadableInputs {
  readonly #files: readonly string[];
  readonly #source: InputSource;
  readonly #copyFolder: string | undefined;
  readonly #inputs = new Map<number, RereadableInput>();
  #current: number | undefined;
  #copy: ScratchFile | undefined;

  constructor(files: readonly string[], source: InputSource, copyFolder?: string) {
    this.#files = files;
    this.#source = source;
    this.#copyFolder = copyFolder;
  }

  /** The inputs whose blocks have passed, by index. */
  get inputs(): ReadonlyMap<number, RereadableInput> {
    return this.#inputs;
  }

  /** Passes the blocks on, in order. Throws UserError (exit 3) if a copy cannot be written. */
  async *pass(blocks: AsyncIterable<FileBlock>): AsyncGenerator<FileBlock> {
    try {
      for await (const block of blocks) {
        if (block.input !== this.#current) await this.#begin(block.input);
        const { bytes, offset } = block.block;
        // The bytes of an overlong line were dropped. It leaves a gap, so that later lines keep their offsets.
        if (bytes) this.#copy?.write(bytes, offset);
        yield block;
      }
    } finally {
      this.#closeCopy();
    }
  }

  async #begin(input: number): Promise<void> {
    this.#closeCopy();
    this.#current = input;
    const name = this.#files[input] ?? "";
    const file = displayName(name);
    if (await isRereadable(name, this.#source)) {
      this.#inputs.set(input, { file, path: resolve(this.#source.cwd, name) });
    } else if (this.#copyFolder !== undefined) {
      const path = join(this.#copyFolder, `input-${input}`);
      this.#copy = new ScratchFile(path);
      this.#inputs.set(input, { file, path, isCopy: true });
    }
  }

  #closeCopy(): void {
    this.#copy?.close();
    this.#copy = undefined;
  }
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

/** Counts the stored bytes of each input, and hashes them on request. */
export class StoredBytes {
  readonly #files: readonly string[];
  readonly #hashes: readonly Hash[];
  readonly #bytes: number[];

  constructor(files: readonly string[], hashes: boolean) {
    this.#files = files;
    this.#bytes = files.map(() => 0);
    this.#hashes = hashes ? files.map(() => createHash("sha256")) : [];
  }

  add(input: number, chunk: Uint8Array): void {
    this.#bytes[input] = (this.#bytes[input] ?? 0) + chunk.length;
    this.#hashes[input]?.update(chunk);
  }

  inputs(): ReadInput[] {
    return this.#files.map((file, index) => {
      const digest = this.#hashes[index]?.copy().digest("hex");
      const hash = digest && `sha256:${digest}`;
      return { file: displayName(file), bytes: this.#bytes[index] ?? 0, hash };
    });
  }
}
