import { type Shape, shapes } from "#generated/shapes.js";
import { isJsonObject } from "../json/value.js";

/** The text of a value in a column of JSON. It is neither parsed nor printed again. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What the rows of a file may be. Of several that declare as many of its columns, the first one. */
const RECORDS: readonly Shape[] = [
  shapes.RolloutBranchRecord,
  shapes.RolloutBranch,
  shapes.DpoRecord,
  shapes.PpoRecord,
  shapes.DpoTrainingRecord,
  shapes.PpoTrainingRecord,
];

/** The shape of the record type that declares most of the columns; `{}` if the file has few of those that each requires. */
export function findShape(columns: readonly string[]): Shape {
  const declared = ({ properties = {} }: Shape): number =>
    columns.filter((name) => Object.hasOwn(properties, name)).length;
  const possible = RECORDS.filter(({ required = [] }) => {
    return 2 * required.filter((name) => columns.includes(name)).length >= required.length;
  });
  const [best = {}] = possible.toSorted((a, b) => declared(b) - declared(a));
  return best;
}

/**
 * Prints a row as a line of JSON, without its newline.
 *
 * Parquet has one null where JSON has two: a field that is null, and one that is absent. A null stays if the schema
 * requires the field, or names null among its types. Otherwise the field is left out, as is one that the schema does not
 * declare. Text is JSON if its column says so. If `isUntyped`, no column of the file says so: then text is JSON as well
 * where the schema permits no text, but an object or array.
 */
export function printRow(
  row: Readonly<Record<string, unknown>>,
  shape: Shape,
  isUntyped: boolean,
): string {
  return new RowPrinter(isUntyped).object(row, shape);
}

/** Prints a value that is a whole line. */
export function printLine(value: unknown): string {
  return typeof value === "string"
    ? onOneLine(value)
    : new RowPrinter(false).value(value, undefined);
}

class RowPrinter {
  readonly #isUntyped: boolean;

  constructor(isUntyped: boolean) {
    this.#isUntyped = isUntyped;
  }

  object(value: Readonly<Record<string, unknown>>, shape: Shape | undefined): string {
    const fields: string[] = [];
    for (const name in value) {
      const field = value[name] ?? null;
      const fieldShape = shapeOf(shape, name);
      if (field === null && !keepsNull(fieldShape, shape, name)) continue;
      fields.push(`${JSON.stringify(name)}:${this.value(field, fieldShape)}`);
    }
    return `{${fields.join(",")}}`;
  }

  value(value: unknown, shape: Shape | undefined): string {
    if (value === null || value === undefined) return "null";
    if (typeof value === "string") return this.#text(value, shape);
    // Not `JSON.stringify`, which has no BigInt, and turns NaN into null: the line is to be refused instead.
    if (typeof value === "bigint" || typeof value === "number") return String(value);
    if (value instanceof JsonText) return onOneLine(value.text);
    if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString("base64"));
    if (ArrayBuffer.isView(value)) return this.#list(Object.values(value), shape);
    if (Array.isArray(value)) return this.#list(value, shape);
    return isJsonObject(value) && !(value instanceof Date)
      ? this.object(value, shape)
      : JSON.stringify(value);
  }

  #list(items: readonly unknown[], shape: Shape | undefined): string {
    return `[${items.map((item) => this.value(item, shape?.items)).join(",")}]`;
  }

  #text(value: string, shape: Shape | undefined): string {
    const isJson = this.#isUntyped && /^\s*[[{]/.test(value) && takesOnlyContainers(shape);
    return isJson ? onOneLine(value) : JSON.stringify(value);
  }
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

/** Between the values of JSON, a line break is only space. */
function onOneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replaceAll(/[\r\n]/g, " ") : json;
}
