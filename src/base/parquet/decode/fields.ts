import type { SchemaTree } from "hyparquet/src/types.js";
import type { ColumnReader } from "./column.js";

/** A field of the schema, and what its values are made of. */
export interface Field {
  readonly name: string;
  /** A `group` is the repeated level of a list, which has one child; a `pair` that of a map. */
  readonly kind: "value" | "struct" | "list" | "map" | "group" | "pair";
  readonly isOptional: boolean;
  readonly isRepeated: boolean;
  /** The levels of a value for which this field is there, and begins another item. */
  readonly definition: number;
  readonly repetition: number;
  readonly children: readonly Field[];
  /** Its columns; one if it is a value. */
  readonly columns: readonly ColumnReader[];
}

/** A column in a schema, with the elements around it, from the root on. */
export type SchemaPath = readonly SchemaTree[];

/** Types that are not JSON, whatever is done. */
const UNSUPPORTED: readonly (string | undefined)[] = ["VARIANT", "GEOMETRY", "GEOGRAPHY"];

/** Makes the fields of a schema. `createColumn` is called for each column, in order. */
export function createField(
  tree: SchemaTree,
  createColumn: (path: SchemaPath) => ColumnReader,
): Field {
  return createChild(tree, [], { definition: 0, repetition: 0 }, "struct", createColumn);
}

function createChild(
  tree: SchemaTree,
  around: SchemaPath,
  outer: Pick<Field, "definition" | "repetition">,
  kind: Field["kind"],
  createColumn: (path: SchemaPath) => ColumnReader,
): Field {
  const { element } = tree;
  if (UNSUPPORTED.includes(element.logical_type?.type)) {
    throw new Error(`unsupported type: ${element.logical_type?.type}`);
  }
  const path = [...around, tree];
  const isRoot = around.length === 0;
  const isRepeated = !isRoot && element.repetition_type === "REPEATED";
  const isOptional = !isRoot && element.repetition_type === "OPTIONAL";
  const levels = {
    definition: outer.definition + (isRepeated || isOptional ? 1 : 0),
    repetition: outer.repetition + (isRepeated ? 1 : 0),
  };
  const children = tree.children.map((child) =>
    createChild(child, path, levels, kindOf(child, kind), createColumn),
  );
  return {
    ...levels,
    name: element.name,
    kind,
    isOptional,
    isRepeated,
    children,
    columns: kind === "value" ? [createColumn(path)] : children.flatMap(({ columns }) => columns),
  };
}

/** The kind of a field inside one of the kind `outer`. */
function kindOf({ element, children }: SchemaTree, outer: Field["kind"]): Field["kind"] {
  if (children.length === 0) return "value";
  if (outer === "list" && children.length === 1) return "group";
  if (outer === "map") return "pair";
  const [only, ...others] = children;
  if (only?.element.repetition_type === "REPEATED" && others.length === 0) {
    if (element.converted_type === "LIST") return "list";
    const [key, value, ...more] = only.children;
    const isPair = key !== undefined && value !== undefined && more.length === 0;
    if (element.converted_type === "MAP" && isPair) return "map";
  }
  return "struct";
}

/** Puts together the value of a field in the current row of its columns. Throws Error if their levels contradict. */
export function readField(field: Field): unknown {
  if (!field.isRepeated) {
    return field.isOptional && isAbsent(field) ? null : readContent(field);
  }
  const items: unknown[] = [];
  if (isAbsent(field)) return items;
  do items.push(readContent(field));
  while (goesOn(field));
  return items;
}

function readContent(field: Field): unknown {
  const { kind, children, columns } = field;
  const [first] = children;
  if (first === undefined) {
    const [column] = columns;
    if (column?.definition !== field.definition) throw contradiction();
    return column.take();
  }
  switch (kind) {
    case "list":
    case "group":
      return readField(first);
    case "map":
      return Object.fromEntries(readPairs(first));
    case "pair":
      return children.map(readField);
    default:
      return readStruct(children);
  }
}

function readPairs(field: Field): readonly [string, unknown][] {
  const pairs = readField(field);
  if (!Array.isArray(pairs)) throw contradiction();
  return pairs.map(([key, value]: readonly unknown[]) => [String(key), value]);
}

function readStruct(children: readonly Field[]): Record<string, unknown> {
  const struct: Record<string, unknown> = {};
  for (const child of children) {
    const value = readField(child);
    // A plain assignment would set the prototype.
    if (child.name === "__proto__")
      Object.defineProperty(struct, child.name, { value, enumerable: true });
    else struct[child.name] = value;
  }
  return struct;
}

/** Whether the field is null or empty. Then its columns have one value for that, which is taken. */
function isAbsent({ columns, definition }: Field): boolean {
  const [first] = columns;
  if (first === undefined || first.definition >= definition) return false;
  for (const column of columns) {
    if (column.definition !== definition - 1) throw contradiction();
    column.take();
  }
  return true;
}

/** Whether another item of a repeated field follows. */
function goesOn({ columns, repetition }: Field): boolean {
  const isNext = columns[0]?.repetition === repetition;
  for (const column of columns) {
    if ((column.repetition === repetition) !== isNext) throw contradiction();
  }
  return isNext;
}

function contradiction(): Error {
  return new Error("the columns of a field contradict each other");
}
