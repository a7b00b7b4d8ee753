import { toPointerToken } from "../../base/json/pointer.js";
import { isJsonObject } from "../../base/json/value.js";
import { DEFINITION_KEYWORDS } from "./keywords.js";

/** A record type in a document, and where it is defined. */
export interface NamedType {
  readonly name: string;
  /** JSON Pointer; "" is the document itself. */
  readonly pointer: string;
}

/**
 * The record types of a schema: the members of its root `anyOf` or `oneOf`, else the document itself, else, if it only
 * holds definitions, those of objects. `fallback` names a document without a title.
 */
export function listNamedTypes(document: unknown, fallback: string): NamedType[] {
  if (!isJsonObject(document)) return [];
  const members = [document.anyOf, document.oneOf].find((each) => Array.isArray(each)) ?? [];
  const listed = (Array.isArray(members) ? members : []).flatMap((member: unknown) => {
    const reference = isJsonObject(member) ? member.$ref : undefined;
    const [, pointer, name] =
      /^#(\/(?:\$defs|definitions)\/([^/]+))$/.exec(String(reference)) ?? [];
    return pointer === undefined || name === undefined ? [] : [{ name, pointer }];
  });
  if (listed.length > 0) return listed;
  const { title, properties, type, $ref, allOf } = document;
  if ([properties, type, $ref, allOf].some((part) => part !== undefined)) {
    const name = typeof title === "string" && /^[\w -]+$/.test(title) ? title : fallback;
    return [{ name, pointer: "" }];
  }
  return DEFINITION_KEYWORDS.flatMap((keyword) => {
    const definitions = document[keyword];
    return Object.entries(isJsonObject(definitions) ? definitions : {}).flatMap(
      ([name, schema]) => {
        const isObject = isJsonObject(schema) && isJsonObject(schema.properties);
        return isObject ? [{ name, pointer: `/${keyword}/${toPointerToken(name)}` }] : [];
      },
    );
  });
}

/** Whether a schema only holds definitions for other files to use, and accepts anything by itself. */
export function isCollection(schema: unknown): boolean {
  const used = ["properties", "oneOf", "anyOf", "allOf", "$ref", "type", "not", "if", "required"];
  return !isJsonObject(schema) || used.every((keyword) => !(keyword in schema));
}
