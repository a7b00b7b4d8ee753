import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import { fault, type PreflightFault } from "./trainer-row.js";

/** `datasets` takes the columns of a JSON file from so many bytes: the `chunksize` of its reader. */
export const INFERRED_BYTES = 10 * 2 ** 20;

/** Most places that are remembered, so that memory is bounded. */
const MAX_PLACES = 1000;

/** Where something first occurs in a file. Plain data, so that it can be sent to threads. */
export interface FirstPlace {
  /** A column, `column:text` or `column:list`, or a field of messages, `column/field`. */
  readonly what: string;
  readonly line: number;
  /** Of its line in the file, in bytes. */
  readonly offset: number;
}

/** Where each column, and each field of a message, first occurs in a file. */
export class RowShapes {
  readonly #places = new Map<string, FirstPlace>();
  /** The fields of messages that were seen, by column, so that most rows cost little. */
  readonly #fields = new Map<string, Set<string>>();

  /** Adds a row; rows come in the order of the file. */
  add(row: JsonObject, place: Omit<FirstPlace, "what">): void {
    for (const column in row) {
      const value = row[column];
      if (value == null) continue;
      this.#note(column, place);
      // Trainers read definitions as a list or as JSON text.
      if (column === "tools") continue;
      if (typeof value === "string") this.#note(`${column}:text`, place);
      if (!Array.isArray(value)) continue;
      this.#note(`${column}:list`, place);
      const fields = this.#fields.get(column) ?? new Set();
      if (this.#fields.size < MAX_PLACES) this.#fields.set(column, fields);
      for (const item of value) {
        if (!isJsonObject(item)) break;
        for (const field in item) {
          if (fields.has(field)) continue;
          fields.add(field);
          this.#note(`${column}/${field}`, place);
        }
      }
    }
  }

  /** Adds what was found in a later part of the file. */
  addPlaces(places: readonly FirstPlace[]): void {
    for (const place of places) this.#note(place.what, place);
  }

  get places(): readonly FirstPlace[] {
    return [...this.#places.values()];
  }

  /**
   * What rows of one file must have in common: a column is text in all or a list in all, and if `datasets` infers the
   * columns, it sees all of them in time.
   */
  findFaults(infersColumns: boolean): (PreflightFault & { readonly line: number })[] {
    const found: (PreflightFault & { readonly line: number })[] = [];
    for (const { what, line, offset } of this.#places.values()) {
      const [column = "", kind] = what.split(":");
      const other = this.#places.get(`${column}:${kind === "text" ? "list" : "text"}`);
      if (kind !== undefined) {
        if (other === undefined || other.line > line) continue;
        const names = kind === "text" ? ["text", "a list"] : ["a list", "text"];
        const message = `is ${names[0]} here, and ${names[1]} in line ${other.line}: all rows of a file must have one form`;
        found.push({ ...fault("mixed-rows", "error", `/${column}`, message), line });
      } else if (infersColumns && offset >= INFERRED_BYTES && !this.#isInLateColumn(what)) {
        const message = `"${column}" first occurs after the first 10 MiB, from which datasets infers the columns: loading fails unless features are given`;
        found.push({ ...fault("late-column", "error", "", message), line });
      }
    }
    return found;
  }

  #isInLateColumn(what: string): boolean {
    const [column = "", field] = what.split("/");
    return field !== undefined && (this.#places.get(column)?.offset ?? 0) >= INFERRED_BYTES;
  }

  #note(what: string, { line, offset }: Omit<FirstPlace, "what">): void {
    if (this.#places.has(what) || this.#places.size >= MAX_PLACES) return;
    this.#places.set(what, { what, line, offset });
  }
}
