import { unpack } from "../../../../base/page/app/unpack.js";
import type { PackedRollout, ReportIndex } from "../report-data.js";

/** Chunks that are kept parsed: going back and forth is fast, and memory stays bounded. */
const MAX_CHUNKS = 8;

/** The rollouts in the page. */
export class Rollouts {
  readonly #places: ReportIndex["places"];
  readonly #chunks = new Map<number, Promise<readonly PackedRollout[]>>();

  constructor({ places }: Pick<ReportIndex, "places">) {
    this.#places = places;
  }

  /** Parses the rollout of a row, by the row's index. */
  async read(row: number): Promise<PackedRollout> {
    const [chunk = -1, at = -1] = this.#places[row] ?? [];
    const found = (await this.#readChunk(chunk))[at];
    if (found === undefined) throw new Error(`the page has no rollout ${row}`);
    return found;
  }

  async #readChunk(chunk: number): Promise<readonly PackedRollout[]> {
    await documentIsRead;
    const parsed = this.#chunks.get(chunk) ?? unpack<readonly PackedRollout[]>(`chunk-${chunk}`);
    this.#chunks.delete(chunk);
    this.#chunks.set(chunk, parsed);
    const [oldest] = this.#chunks.keys();
    if (this.#chunks.size > MAX_CHUNKS && oldest !== undefined) this.#chunks.delete(oldest);
    return await parsed;
  }
}

/** The program starts before the browser has read the chunks. */
const documentIsRead = new Promise<void>((resolve) => {
  if (document.readyState !== "loading") resolve();
  else document.addEventListener("DOMContentLoaded", () => resolve());
});
