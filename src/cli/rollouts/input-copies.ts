import { join, resolve } from "node:path";
import { isPlainFile } from "../../files/inputs.js";
import { displayName, type InputSource } from "../../files/source.js";
import type { FileBlock } from "../parallel/file-blocks.js";
import type { RereadableInput } from "./line-reader.js";
import { ScratchFile } from "./scratch-file.js";

/** Copies of the inputs that cannot be read twice: standard input, pipes and packed files. */
export class InputCopies {
  readonly #files: readonly string[];
  readonly #source: InputSource;
  readonly #folder: string;
  readonly #inputs = new Map<number, RereadableInput>();
  #copy: ScratchFile | undefined;

  /** `folder` is where the copies go. */
  constructor(files: readonly string[], source: InputSource, folder: string) {
    this.#files = files;
    this.#source = source;
    this.#folder = folder;
  }

  /** The inputs whose blocks have been passed, by their index. */
  get inputs(): ReadonlyMap<number, RereadableInput> {
    return this.#inputs;
  }

  /**
   * Passes blocks on, in their order, and copies those that will not come again. Throws UserError
   * (exit 3) when a copy cannot be written.
   */
  async *pass(blocks: AsyncIterable<FileBlock>): AsyncGenerator<FileBlock> {
    try {
      for await (const block of blocks) {
        if (!this.#inputs.has(block.input)) await this.#begin(block.input);
        const { bytes, offset } = block.block;
        // A line that is too long to be held leaves a gap: what follows must stand where it stood.
        if (bytes) this.#copy?.write(bytes, offset);
        yield block;
      }
    } finally {
      this.#end();
    }
  }

  async #begin(input: number): Promise<void> {
    this.#end();
    const file = this.#files[input] ?? "";
    const plain = await isPlainFile(file, this.#source);
    const path = plain ? resolve(this.#source.cwd, file) : join(this.#folder, `input-${input}`);
    if (!plain) this.#copy = new ScratchFile(path);
    this.#inputs.set(input, { file: displayName(file), path });
  }

  #end(): void {
    this.#copy?.close();
    this.#copy = undefined;
  }
}
