import { type Feature, type Features, isJson, isList, isValue } from "../json/feature.js";
import { JsonCursor } from "./json-cursor.js";

/** A value as the Parquet writer takes it: text as UTF-8, integers as BigInt. */
type Cell = Uint8Array | bigint | number | boolean | null | Cell[] | { [name: string]: Cell };

type CellReader = (cursor: JsonCursor) => Cell;

/**
 * Turns records, one line of JSON each, into columns. A Json value keeps its text: it is neither parsed nor printed
 * again. A field that a record lacks is null.
 */
export class ColumnBuilder {
  readonly #names: readonly string[];
  readonly #readers: ReadonlyMap<string, CellReader>;
  #columns: Map<string, Cell[]>;
  #rows = 0;

  constructor(features: Features) {
    this.#names = Object.keys(features);
    this.#readers = toReaders(features);
    this.#columns = this.#createColumns();
  }

  /** Number of records added since `take`. */
  get rows(): number {
    return this.#rows;
  }

  /** Adds a record. Its columns are views of the memory of `line`. Throws TypeError if it does not have these columns. */
  add(line: Buffer): void {
    const cursor = new JsonCursor(line);
    for (const name of cursor.members()) {
      const cell = readMember(cursor, name, this.#readers);
      this.#columns.get(name)?.push(cell);
    }
    this.#rows += 1;
    for (const column of this.#columns.values()) if (column.length < this.#rows) column.push(null);
  }

  /** Returns the columns in order, and begins new ones. */
  take(): { readonly name: string; readonly data: Cell[] }[] {
    const columns = this.#names.map((name) => ({ name, data: this.#columns.get(name) ?? [] }));
    this.#columns = this.#createColumns();
    this.#rows = 0;
    return columns;
  }

  #createColumns(): Map<string, Cell[]> {
    return new Map(this.#names.map((name) => [name, []]));
  }
}

function toReaders(features: Features): ReadonlyMap<string, CellReader> {
  return new Map(
    Object.entries(features).map(([name, feature]) => [name, orNull(toReader(feature))]),
  );
}

function orNull(read: CellReader): CellReader {
  return (cursor) => (cursor.takeNull() ? null : read(cursor));
}

function toReader(feature: Feature): CellReader {
  if (isJson(feature)) return (cursor) => cursor.takeText();
  if (isValue(feature)) return toScalarReader(feature.dtype);
  if (isList(feature)) {
    const read = orNull(toReader(feature.feature));
    return (cursor) => Array.from(cursor.elements(), () => read(cursor));
  }
  const readers = toReaders(feature);
  return (cursor) => {
    const struct: { [name: string]: Cell } = {};
    for (const name of cursor.members()) struct[name] = readMember(cursor, name, readers);
    return struct;
  };
}

function toScalarReader(dtype: string): CellReader {
  switch (dtype) {
    case "string":
      return (cursor) => cursor.takeString();
    case "int64":
      return (cursor) => toInteger(cursor.takeText().toString());
    case "float64":
      return (cursor) => Number(cursor.takeText().toString());
    case "bool":
      return (cursor) => cursor.takeText().toString() === "true";
    default:
      throw new TypeError(`no column holds ${dtype}`);
  }
}

/** An integer may be written with an exponent, such as 1e21. */
function toInteger(text: string): bigint {
  return /^-?\d+$/.test(text) ? BigInt(text) : BigInt(Number(text));
}

function readMember(
  cursor: JsonCursor,
  name: string,
  readers: ReadonlyMap<string, CellReader>,
): Cell {
  const read = readers.get(name);
  if (read === undefined) throw new TypeError(`a record has no column for its field "${name}"`);
  return read(cursor);
}
