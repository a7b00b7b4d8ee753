import { createHash, type Hash } from "node:crypto";
import { openInput } from "../files/open-input.js";
import { displayName, type InputSource } from "../files/source.js";
import { cutBlocks, type LineBlock } from "../jsonl/blocks.js";
import type { BufferPool } from "../jsonl/buffer-pool.js";

/** Bytes of lines that a thread works on at a time: large against the cost of a message. */
export const BLOCK_BYTES = 2 ** 20;

/** A block of lines with the file that holds it. */
export interface FileBlock {
  /** Index of the file among the inputs. */
  readonly input: number;
  /** The file as the user named it, or `<stdin>`. */
  readonly file: string;
  readonly block: LineBlock;
}

export interface FileBlocksOptions {
  /** Least size of a block, but for the last of a file. */
  readonly blockBytes?: number | undefined;
  /** Where the memory of the blocks comes from. */
  readonly memory?: BufferPool | undefined;
  /** Is called with every chunk of a file as it is stored. */
  readonly onStored?: ((input: number, chunk: Uint8Array) => void) | undefined;
}

/** The blocks of several files, in order. Throws UserError (exit 3) for a file that cannot be read. */
export async function* fileBlocks(
  files: readonly string[],
  source: InputSource,
  { blockBytes = BLOCK_BYTES, memory, onStored = () => {} }: FileBlocksOptions = {},
): AsyncGenerator<FileBlock> {
  for (const [input, file] of files.entries()) {
    const chunks = openInput(file, source, { onStored: (chunk) => onStored(input, chunk) });
    for await (const block of cutBlocks(chunks, {
      minBytes: blockBytes,
      takeMemory: memory?.take,
    })) {
      yield { input, file: displayName(file), block };
    }
  }
}

/** An input as it was read. */
export interface ReadInput {
  /** The file as the user named it, or `<stdin>`. */
  readonly file: string;
  /** As stored, compressed or not. */
  readonly bytes: number;
  /** `sha256:` and the hash of those bytes in hexadecimal digits; undefined if not asked for. */
  readonly hash: string | undefined;
}

/** Counts, and if asked hashes, what is read of each input. */
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
