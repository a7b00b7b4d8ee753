import type { ColumnDecoder, DecodedArray } from "hyparquet/src/types.js";
import type { Page, PageReader } from "./pages.js";
import { RunReader } from "./runs.js";
import { PageValues, readDictionary } from "./values.js";

type Pages = Pick<PageReader, "next">;

/** How deep the values of a column are nested. */
export interface Levels {
  /** Lists around a value. */
  readonly repetition: number;
  /** Optional fields and lists around a value. */
  readonly definition: number;
}

/**
 * The values of a column in a row group, row by row. Only one page is in memory. Each value has levels, which say how many
 * of the lists around it go on (`repetition`), and how many of the fields around it are there (`definition`).
 */
export class ColumnReader {
  readonly #pages: Pages;
  readonly #decoder: ColumnDecoder;
  readonly #levels: Levels;
  /** Values of the row group in pages that are not yet read. */
  #left: number;
  #dictionary: DecodedArray | undefined;

  #page: DecodedPage | undefined;

  // The current row.
  readonly #repetitions: number[] = [];
  readonly #definitions: number[] = [];
  readonly #values: unknown[] = [];
  #isWhole = true;
  #at = 0;

  constructor(pages: Pages, decoder: ColumnDecoder, levels: Levels, count: number) {
    this.#pages = pages;
    this.#decoder = decoder;
    this.#levels = levels;
    this.#left = count;
  }

  /** Moves to the next row, as far as the page holds it. If not to its end, call `loadPage`, then this again. */
  nextRow(): boolean {
    if (this.#isWhole) {
      this.#repetitions.length = 0;
      this.#definitions.length = 0;
      this.#values.length = 0;
      this.#at = 0;
      this.#isWhole = false;
    }
    const page = this.#page;
    while (page !== undefined && page.left > 0) {
      const isStarted = this.#definitions.length > 0;
      if (page.repetition > 0 !== isStarted) {
        if (!isStarted) throw new Error("a column begins within a list");
        this.#isWhole = true;
        return true;
      }
      this.#repetitions.push(page.repetition);
      const definition = page.nextDefinition();
      this.#definitions.push(definition);
      this.#values.push(definition === this.#levels.definition ? page.nextValue() : null);
      page.advance();
    }
    // The row may go on in the next page.
    if (this.#left > 0) return false;
    if (this.#definitions.length === 0) throw new Error("a column has fewer rows than the others");
    this.#isWhole = true;
    return true;
  }

  async loadPage(): Promise<void> {
    this.#page = undefined;
    let page = await this.#pages.next();
    if (page.isDictionary) {
      this.#dictionary = readDictionary(page.values, page.count, this.#decoder);
      page = await this.#pages.next();
    }
    if (page.isDictionary) throw new Error("a column has two dictionaries");
    if (page.count > this.#left) throw new Error("a page has more values than its column");
    this.#left -= page.count;
    this.#page = new DecodedPage(page, this.#levels, this.#decoder, this.#dictionary);
  }

  /** Whether all rows were read. */
  get isAtEnd(): boolean {
    return this.#left === 0 && (this.#page?.left ?? 0) === 0;
  }

  /** The levels of the next value in the row; -1 if there is none. */
  get repetition(): number {
    return this.#repetitions[this.#at] ?? -1;
  }

  get definition(): number {
    return this.#definitions[this.#at] ?? -1;
  }

  /** The next value in the row; null if a field around it is not there. */
  take(): unknown {
    const value = this.#values[this.#at];
    this.#at += 1;
    return value;
  }
}

class DecodedPage {
  /** Values that are left, nulls included, and the repetition level of the first of them. */
  left: number;
  repetition = 0;
  readonly #repetitions: RunReader | undefined;
  readonly #definitions: RunReader | undefined;
  readonly #values: PageValues;

  constructor(
    { count, encoding, repetition, definition, values }: Page,
    levels: Levels,
    decoder: ColumnDecoder,
    dictionary: DecodedArray | undefined,
  ) {
    const repetitions = (): RunReader => createLevels(repetition, levels.repetition);
    const definitions = (): RunReader => createLevels(definition, levels.definition);
    this.left = count;
    if (levels.repetition > 0) this.#repetitions = repetitions();
    if (levels.definition > 0) this.#definitions = definitions();
    const present = levels.definition > 0 ? definitions().countOf(levels.definition, count) : count;
    this.#values = new PageValues({ bytes: values, encoding, count: present }, decoder, dictionary);
    if (count > 0) this.repetition = this.#repetitions?.next() ?? 0;
  }

  advance(): void {
    this.left -= 1;
    if (this.left > 0 && this.#repetitions !== undefined)
      this.repetition = this.#repetitions.next();
  }

  nextDefinition(): number {
    return this.#definitions?.next() ?? 0;
  }

  nextValue(): unknown {
    return this.#values.next();
  }
}

function createLevels(bytes: Uint8Array, max: number): RunReader {
  return new RunReader(bytes, 32 - Math.clz32(max), max);
}
