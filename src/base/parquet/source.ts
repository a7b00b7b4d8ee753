import { escapeControls } from "../text.js";
import { UserError } from "../user-error.js";
import { damaged } from "./problems.js";

/** A file that is read at any place. */
export interface ParquetSource {
  readonly byteLength: number;
  /** The bytes from `start` up to `end`. */
  slice(start: number, end?: number): Promise<ArrayBuffer>;
}

/** A file whose own errors are told from those of what is in it. */
export class GuardedSource implements ParquetSource {
  readonly #source: ParquetSource;
  readonly #name: string;
  #failure: unknown;

  constructor(source: ParquetSource, name: string) {
    this.#source = source;
    this.#name = name;
  }

  get byteLength(): number {
    return this.#source.byteLength;
  }

  async slice(start: number, end = this.byteLength): Promise<ArrayBuffer> {
    if (!(start >= 0 && start <= end && end <= this.byteLength)) {
      throw damaged("it refers to bytes outside the file");
    }
    try {
      return await this.#source.slice(start, end);
    } catch (error) {
      this.#failure ??= error;
      throw error;
    }
  }

  /** Runs a step of reading at a place, which the message names. Throws UserError (exit 3) if the content is at fault. */
  async attempt<Result>(place: string, run: () => Promise<Result>): Promise<Result> {
    try {
      return await run();
    } catch (error) {
      if (this.#failure !== undefined) throw this.#failure;
      const reason = error instanceof Error ? error.message : String(error);
      throw new UserError(
        `${this.#name}: cannot be read as Parquet: ${place}${escapeControls(reason)}`,
      );
    }
  }
}
