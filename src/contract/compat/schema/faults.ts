import { pointerTokens, toPointerToken } from "../../../base/json/pointer.js";
import { isJsonObject } from "../../../base/json/value.js";
import { previewValue } from "../../../base/text.js";
import {
  type Dialect,
  embeddedIn,
  type FindDialect,
  isVoid,
  LISTS,
  MAPS,
  SINGLES,
} from "./dialects.js";
import { exactMemberText } from "./exact-numbers.js";
import { metaschemaOf, vocabulariesOf } from "./metaschemas.js";
import { HOLE, stampOf } from "./schema-set.js";
import { findSubschemas, type Schema } from "./subschemas.js";

/** A part of a schema that its dialect does not allow. */
interface SchemaFault {
  /** JSON Pointer to it. */
  readonly pointer: string;
  readonly message: string;
}

/** The faults of a schema, in the words of its dialect: one for each place, without what contains others. */
export function findFaults(schema: Schema, dialect: Dialect, find: FindDialect): SchemaFault[] {
  const embedded = typeof schema === "boolean" ? [] : [...embeddedIn(schema, dialect, find)];
  const own = [...findOwnFaults(schema, dialect), ...findForeign(schema, dialect)];
  const above = new Set(own.flatMap(({ pointer }) => listAbove(pointer)));
  return [
    ...own.filter(
      ({ pointer }) =>
        !above.has(pointer) &&
        !isVoid(schema, pointer, dialect) &&
        !embedded.some(([at]) => `${pointer}/`.startsWith(`${at}/`)),
    ),
    ...embedded.flatMap(([at, part, other]) => {
      const faults =
        other === undefined
          ? [{ pointer: "", message: `the dialect ${part.$schema} is not known` }]
          : findFaults(part, other, find);
      return faults.map(({ pointer, message }) => ({ pointer: at + pointer, message }));
    }),
  ];
}

function findOwnFaults(schema: Schema, dialect: Dialect): SchemaFault[] {
  const validate = metaschemaOf(dialect);
  validate(schema);
  const found = new Map<string, string>();
  for (const error of validate.errors ?? []) {
    const { instancePath, propertyName, keyword, params, message = "", data } = error;
    const name: unknown = propertyName ?? (keyword === "dependencies" && params.property);
    const pointer =
      typeof name === "string" ? `${instancePath}/${toPointerToken(name)}` : instancePath;
    const isPattern = keyword === "format";
    const said = isPattern ? `${previewValue(data)} is not an ECMAScript pattern` : message;
    if (!found.has(pointer)) found.set(pointer, said);
  }
  return [...found].map(([pointer, message]) => ({ pointer, message }));
}

/** Keywords that may be those of a vocabulary that nobody knows here, and which must be known (2020-12, section 8.1.2). */
function findForeign(root: Schema, dialect: Dialect): SchemaFault[] {
  const { foreign } = dialect;
  if (foreign === undefined) return [];
  const known = new Set([HOLE, ...[...vocabulariesOf(dialect).values()].flat()]);
  const list = (schema: Schema, pointer: string): SchemaFault[] => {
    if (typeof schema === "boolean") return [];
    const others = Object.keys(schema).filter((each) => !known.has(each));
    return [
      ...others.map((each) => ({
        pointer: `${pointer}/${toPointerToken(each)}`,
        message: `the vocabulary ${foreign} must be known, and is not`,
      })),
      ...[...findSubschemas(schema)].flatMap(([at, child]) => list(child, pointer + at)),
    ];
  };
  return list(root, "");
}

/** The pointers to all that contains a place. */
function listAbove(pointer: string): string[] {
  const parts = pointer.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** Keywords whose meaning depends on the patterns of `patternProperties`. */
const PATTERNED = ["patternProperties", "additionalProperties"];

/**
 * Replaces the innermost keyword or schema that has a fault by a hole, which is equal where the fault is equal, and so is the
 * document if the fault refers to parts of it.
 */
export function digHole(root: Schema, pointer: string): void {
  const textOf = (container: object, key: string): string => {
    const text = exactMemberText(container, key);
    return /"\$\w*[rR]ef"/.test(text) ? `${text}${stampOf([root])}` : text;
  };
  let schema: unknown = root;
  let [keyword = "", ...rest] = pointerTokens(pointer);
  while (isJsonObject(schema)) {
    const value = schema[keyword];
    const isMany = Array.isArray(value) ? LISTS.includes(keyword) : MAPS.includes(keyword);
    const [name] = rest;
    const [container, key] = isMany && name !== undefined ? [value, name] : [schema, keyword];
    const child: unknown = Reflect.get(Object(container), key);
    const inside = isMany ? rest.slice(1) : rest;
    const isPlace = isMany ? container === value : SINGLES.includes(keyword);
    if (isPlace && isJsonObject(child) && inside.length > 0) {
      [schema, keyword = "", ...rest] = [child, ...inside];
      continue;
    }
    if (isPlace && keyword !== "patternProperties") {
      const { $id } = Object(child);
      const hole = { [HOLE]: textOf(Object(container), key) };
      Reflect.set(Object(container), key, $id === undefined ? hole : { $id, ...hole });
      return;
    }
    const lost = (keyword === "patternProperties" ? PATTERNED : [keyword]).filter((each) =>
      Object.hasOwn(Object(schema), each),
    );
    const texts = lost.map((each) => `${JSON.stringify(each)}: ${textOf(Object(schema), each)}`);
    const known = schema[HOLE] === undefined ? [] : [String(schema[HOLE])];
    for (const each of lost) Reflect.deleteProperty(schema, each);
    Reflect.set(schema, HOLE, [...known, ...texts].join(", "));
    return;
  }
}
