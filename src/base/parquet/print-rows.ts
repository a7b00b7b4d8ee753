import { isUtf8 } from "node:buffer";
import { type Batch, type Field, type Table, Type } from "@uwdata/flechette";
import type { SchemaElement } from "hyparquet";
import { type Shape, shapes } from "#generated/shapes.js";
import { guessType } from "../json/entry-type.js";
import type { LineWriter } from "./line-writer.js";
import { describeColumn, ParquetProblem } from "./problems.js";

/** The values of a column in a batch. */
interface ColumnPrinter {
  isNull(index: number): boolean;
  /** Writes a value that is not null. */
  write(index: number): void;
}

const NULL = Buffer.from("null");
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];
const [OPEN_LIST, CLOSE_LIST] = [0x5b, 0x5d];
const [COMMA, COLON] = [0x2c, 0x3a];

/**
 * Returns a function that writes a row as a line of JSON, without its newline: a row of a table with one batch, which has
 * the leaves of a Parquet schema. A column of text that is alone in its file has whole lines.
 *
 * Parquet has one null where JSON has two: a field that is null, and one that is absent. A null stays if the schema of the
 * records requires the field, or names null among its types. Otherwise the field is left out, as is one that the schema
 * does not declare. Text is JSON if its column says so. If no column of the file says so, text is JSON as well where the
 * schema permits no text, but an object or array. With `keepsNulls`, every null stays.
 */
export function createRowPrinter(
  { schema: { fields }, children }: Table,
  leaves: readonly SchemaElement[],
  output: LineWriter,
  keepsNulls = false,
): (index: number) => void {
  const batches = children.flatMap(({ data }) => data);
  const [only, ...others] = batches;
  if (only?.type.typeId === Type.Binary && others.length === 0) {
    const { offsets } = only;
    const bytes = textOf(only, fields[0]?.name ?? "");
    return (index) => {
      if (isNull(only, index)) output.bytes(NULL);
      else output.json(bytes, Number(offsets[index]), Number(offsets[index + 1]));
    };
  }
  const shape = findShape(fields.map(({ name }) => name));
  return new Printers(leaves, output, keepsNulls).struct(fields, batches, shape);
}

/** The shape of the record type that has most of these fields; `{}` if it requires more that are missing. */
export function findShape(fields: readonly string[]): Shape {
  const guess = guessType(Object.fromEntries(fields.map((name) => [name, null])));
  const shape = Object.entries(shapes).find(([name]) => name === guess?.name)?.[1];
  return guess?.isNear === true && shape !== undefined ? shape : {};
}

/** Makes the printers of a table. The columns of Arrow have the leaves of Parquet's, in the same order. */
class Printers {
  readonly #leaves: Iterator<SchemaElement, undefined>;
  readonly #output: LineWriter;
  /** Whether no column says that it has JSON. */
  readonly #isUntyped: boolean;
  readonly #keepsNulls: boolean;

  constructor(leaves: readonly SchemaElement[], output: LineWriter, keepsNulls: boolean) {
    this.#keepsNulls = keepsNulls;
    this.#leaves = leaves.values();
    this.#output = output;
    this.#isUntyped = leaves.every((leaf) => leaf.converted_type !== "JSON");
  }

  struct(
    fields: readonly Field[],
    batches: readonly Batch<unknown>[],
    shape: Shape | undefined,
    path = "",
  ): (index: number) => void {
    const output = this.#output;
    const members = batches.map((batch, position) => {
      const name = fields[position]?.name ?? "";
      const ofField = shapeOf(shape, name);
      const label = Buffer.from(`${JSON.stringify(name)}:`);
      const column = this.#column(batch, ofField, path === "" ? name : `${path}.${name}`);
      return { label, keepsNull: this.#keepsNulls || keepsNull(ofField, shape, name), ...column };
    });
    return (index) => {
      let separator = OPEN_OBJECT;
      for (const { label, keepsNull: keeps, isNull: isAbsent, write } of members) {
        const isMissing = isAbsent(index);
        if (isMissing && !keeps) continue;
        output.byte(separator);
        separator = COMMA;
        output.bytes(label);
        if (isMissing) output.bytes(NULL);
        else write(index);
      }
      if (separator === OPEN_OBJECT) output.byte(OPEN_OBJECT);
      output.byte(CLOSE_OBJECT);
    };
  }

  /** `path`: the names of the column and of the structs that it is in. */
  #column(batch: Batch<unknown>, shape: Shape | undefined, path: string): ColumnPrinter {
    return { isNull: (index) => isNull(batch, index), write: this.#content(batch, shape, path) };
  }

  #content(batch: Batch<unknown>, shape: Shape | undefined, path: string): (index: number) => void {
    const { type, children } = batch;
    const [first] = children ?? [];
    switch (type.typeId) {
      case Type.Struct:
        return this.struct(type.children, children, shape, path);
      case Type.List:
        if (first !== undefined) return this.#list(batch, this.#column(first, shape?.items, path));
        break;
      case Type.Map: {
        const [key, value] = first?.children ?? [];
        if (key !== undefined && value !== undefined) {
          return this.#map(batch, this.#key(key, path), this.#column(value, undefined, path));
        }
      }
    }
    return this.#leaf(batch, this.#leaves.next().value, shape, path);
  }

  #list({ offsets }: Batch<unknown>, item: ColumnPrinter): (index: number) => void {
    const output = this.#output;
    return (index) => {
      const [start, end] = [Number(offsets[index]), Number(offsets[index + 1])];
      output.byte(OPEN_LIST);
      for (let at = start; at < end; at += 1) {
        if (at > start) output.byte(COMMA);
        if (item.isNull(at)) output.bytes(NULL);
        else item.write(at);
      }
      output.byte(CLOSE_LIST);
    };
  }

  /** A map is an object, whose nulls are absent fields. */
  #map(
    { offsets }: Batch<unknown>,
    writeKey: (index: number) => void,
    value: ColumnPrinter,
  ): (index: number) => void {
    const output = this.#output;
    return (index) => {
      let separator = OPEN_OBJECT;
      for (let at = Number(offsets[index]); at < Number(offsets[index + 1]); at += 1) {
        if (value.isNull(at)) continue;
        output.byte(separator);
        separator = COMMA;
        writeKey(at);
        output.byte(COLON);
        value.write(at);
      }
      if (separator === OPEN_OBJECT) output.byte(OPEN_OBJECT);
      output.byte(CLOSE_OBJECT);
    };
  }

  /** Keys of an object are text. */
  #key(batch: Batch<unknown>, path: string): (index: number) => void {
    const write = this.#content(batch, undefined, path);
    if (batch.type.typeId === Type.Binary) return write;
    return (index) => this.#text(String(batch.at(index)));
  }

  #leaf(
    batch: Batch<unknown>,
    element: SchemaElement | undefined,
    shape: Shape | undefined,
    path: string,
  ): (index: number) => void {
    const output = this.#output;
    if (batch.type.typeId === Type.Binary) {
      const { offsets } = batch;
      const bytes = textOf(batch, path);
      const isJson = element?.converted_type === "JSON";
      const maybeJson = this.#isUntyped && takesOnlyContainers(shape);
      return (index) => {
        const [start, end] = [Number(offsets[index]), Number(offsets[index + 1])];
        if (isJson || (maybeJson && beginsContainer(bytes, start, end))) {
          output.json(bytes, start, end);
        } else output.string(bytes, start, end);
      };
    }
    const isUuid = element?.logical_type?.type === "UUID";
    return (index) => {
      const value = batch.value(index);
      if (value instanceof Uint8Array) this.#text(isUuid ? toUuid(value) : toBase64(value));
      // Not `JSON.stringify`, which turns NaN into null: the line is to be refused instead.
      else output.ascii(value instanceof Date ? JSON.stringify(value) : String(value));
    };
  }

  #text(text: string): void {
    const bytes = Buffer.from(text);
    this.#output.string(bytes, 0, bytes.length);
  }
}

function isNull({ nullCount, type, validity }: Batch<unknown>, index: number): boolean {
  if (type.typeId === Type.Null) return true;
  return nullCount > 0 && (((validity[index >> 3] ?? 0) >> (index & 7)) & 1) === 0;
}

/**
 * The bytes of a column of text. Throws ParquetProblem if a value is not UTF-8: then it holds something else, such as a
 * picture, for which JSON has no form.
 */
function textOf({ values, offsets, length }: Batch<unknown>, path: string): Uint8Array {
  if (!(values instanceof Uint8Array)) throw new TypeError("text is not stored as bytes");
  const end = Number(offsets[length] ?? 0);
  let isText = isUtf8(values.subarray(Number(offsets[0] ?? 0), end));
  for (let index = 0; isText && index < length; index += 1) {
    const start = Number(offsets[index]);
    // A value that begins within a character.
    if (start < end && ((values[start] ?? 0) & 0xc0) === 0x80) isText = false;
  }
  if (isText) return values;
  throw new ParquetProblem(
    `${describeColumn(path)} has bytes that are not UTF-8, so no text: leave it out, or write it as text`,
  );
}

function toUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

function shapeOf(shape: Shape | undefined, name: string): Shape | undefined {
  const properties = shape?.properties ?? {};
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function keepsNull(field: Shape | undefined, owner: Shape | undefined, name: string): boolean {
  return field?.type?.includes("null") === true || owner?.required?.includes(name) === true;
}

function takesOnlyContainers(shape: Shape | undefined): boolean {
  const types = shape?.type ?? ["string"];
  return !types.includes("string") && (types.includes("object") || types.includes("array"));
}

/** Whether text begins as an object or array does, behind white space. */
function beginsContainer(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && [0x20, 0x09, 0x0a, 0x0d].includes(bytes[at] ?? 0)) at += 1;
  return at < end && [OPEN_OBJECT, OPEN_LIST].includes(bytes[at] ?? 0);
}
