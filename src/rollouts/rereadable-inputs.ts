import { join, resolve } from "node:path";
import { isRereadable } from "../files/inputs.js";
import { ScratchFile } from "../files/scratch-file.js";
import { displayName, type InputSource } from "../files/source.js";
import type { FileBlock } from "./file-blocks.js";

/** An input that can be read again. */
export interface RereadableInput {
  /** As the user named it, or `<stdin>`. */
  readonly file: string;
  /** Absolute path of its decompressed bytes. */
  readonly path: string;
}

/**
 * Records which inputs can be read again while their blocks pass. Standard input, pipes and compressed
 * files cannot: they are copied if there is a folder for the copies, and left out otherwise.
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

  /** The inputs whose blocks have passed, by their index. */
  get inputs(): ReadonlyMap<number, RereadableInput> {
    return this.#inputs;
  }

  /** Passes the blocks on, in order. Throws UserError (exit 3) when a copy cannot be written. */
  async *pass(blocks: AsyncIterable<FileBlock>): AsyncGenerator<FileBlock> {
    try {
      for await (const block of blocks) {
        if (block.input !== this.#current) await this.#begin(block.input);
        const { bytes, offset } = block.block;
        // An overlong line has no bytes: it leaves a gap, so that the lines after it keep their offsets.
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
      this.#inputs.set(input, { file, path });
    }
  }

  #closeCopy(): void {
    this.#copy?.close();
    this.#copy = undefined;
  }
}
