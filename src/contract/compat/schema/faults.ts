import { Ajv2020 } from "ajv/dist/2020.js";
import { pointerTokens, toPointerToken } from "../../../base/json/pointer.js";
import { isJsonObject } from "../../../base/json/value.js";
import { previewValue } from "../../../base/text.js";
import { LIST_APPLICATORS, MAP_APPLICATORS, SINGLE_APPLICATORS } from "../../schemas/keywords.js";
import { compilePattern } from "./compile-pattern.js";
import { exactMemberText } from "./exact-numbers.js";
import { findSubschemas, HOLE, type Schema } from "./schema-set.js";

/** A part of a schema that its dialect does not allow. */
interface SchemaFault {
  /** JSON Pointer to it. */
  readonly pointer: string;
  readonly message: string;
}

/** Compiled when first needed; it validates schemas of all dialects, in the form of draft 2020-12. */
let compiled: Ajv2020 | undefined;

function metaschema(): Ajv2020 {
  compiled ??= new Ajv2020({
    allErrors: true,
    strict: false,
    logger: false,
    validateFormats: false,
    code: { optimize: false },
  });
  return compiled;
}

/** The faults of a schema, one for each place. */
export function findFaults(schema: Schema): SchemaFault[] {
  const ajv = metaschema();
  // Ajv would look for the metaschema that `$schema` names.
  const plain = typeof schema === "boolean" ? schema : { ...schema, $schema: undefined };
  ajv.validateSchema(plain);
  const found = new Map<string, string>();
  for (const { instancePath, message = "" } of ajv.errors ?? []) {
    if (!found.has(instancePath)) found.set(instancePath, message);
  }
  const faults = [...found].map(([pointer, message]) => ({ pointer, message }));
  return [...faults, ...findPatternFaults(schema, "")];
}

function findPatternFaults(schema: Schema, pointer: string): SchemaFault[] {
  if (typeof schema === "boolean") return [];
  const { pattern, patternProperties } = schema;
  const named = isJsonObject(patternProperties) ? Object.keys(patternProperties) : [];
  const places = [
    ...(typeof pattern === "string" ? [[pattern, "/pattern"] as const] : []),
    ...named.map((name) => [name, `/patternProperties/${toPointerToken(name)}`] as const),
  ];
  return [
    ...places
      .filter(([text]) => compilePattern(text) === undefined)
      .map(([text, at]) => ({
        pointer: pointer + at,
        message: `${previewValue(text)} is not an ECMAScript pattern`,
      })),
    ...[...findSubschemas(schema)].flatMap(([at, child]) => findPatternFaults(child, pointer + at)),
  ];
}

/** Keywords whose meaning depends on the patterns of `patternProperties`. */
const PATTERNED = ["patternProperties", "additionalProperties"];

/** Replaces the innermost keyword or schema that has a fault by a hole, which is equal where the fault is equal. */
export function digHole(root: Schema, pointer: string): void {
  let schema: unknown = root;
  let [keyword = "", ...rest] = pointerTokens(pointer);
  while (isJsonObject(schema)) {
    const value = schema[keyword];
    const isMany = LIST_APPLICATORS.includes(keyword) || MAP_APPLICATORS.includes(keyword);
    const [name] = rest;
    const [container, key] = isMany && name !== undefined ? [value, name] : [schema, keyword];
    const child: unknown = Reflect.get(Object(container), key);
    const inside = isMany ? rest.slice(1) : rest;
    const isPlace = isMany ? container === value : SINGLE_APPLICATORS.includes(keyword);
    if (isPlace && isJsonObject(child) && inside.length > 0) {
      [schema, keyword = "", ...rest] = [child, ...inside];
      continue;
    }
    if (isPlace && keyword !== "patternProperties") {
      Reflect.set(Object(container), key, { [HOLE]: exactMemberText(Object(container), key) });
      return;
    }
    const lost = (keyword === "patternProperties" ? PATTERNED : [keyword]).filter((each) =>
      Object.hasOwn(Object(schema), each),
    );
    const texts = lost.map(
      (each) => `${JSON.stringify(each)}: ${exactMemberText(Object(schema), each)}`,
    );
    const known = schema[HOLE] === undefined ? [] : [String(schema[HOLE])];
    for (const each of lost) Reflect.deleteProperty(schema, each);
    Reflect.set(schema, HOLE, [...known, ...texts].join(", "));
    return;
  }
}

/**
 * Makes holes of the keywords that a schema has from other vocabularies, if its root says that whoever does not know one of
 * these cannot read it (draft 2020-12, section 8.1.2).
 */
export function hideOtherVocabularies(root: Schema): void {
  const { $vocabulary } = Object(root);
  if (!isJsonObject($vocabulary)) return;
  const isForeign = ([uri, isRequired]: readonly [string, unknown]): boolean =>
    isRequired === true && !uri.startsWith("https://json-schema.org/");
  if (!Object.entries($vocabulary).some(isForeign)) return;
  const parts = Object.values(metaschema().schemas).map((each) => Object(each?.schema).properties);
  const known = new Set(parts.flatMap((properties) => Object.keys(Object(properties))));
  const hide = (schema: Schema): void => {
    if (typeof schema === "boolean") return;
    for (const [, child] of findSubschemas(schema)) hide(child);
    const others = Object.keys(schema).filter((each) => !known.has(each) && each !== HOLE);
    for (const each of others) digHole(schema, `/${toPointerToken(each)}`);
  };
  hide(root);
}
