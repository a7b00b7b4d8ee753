import { isJsonObject } from "./json-object.js";

/** The reference tokens of a JSON Pointer (RFC 6901), unescaped; none for "". */
export function pointerTokens(pointer: string): string[] {
  const tokens = pointer.split("/").slice(1);
  if (!pointer.includes("~")) return tokens;
  return tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A key of an object or an index of an array as a reference token (RFC 6901, section 3). */
export function toPointerToken(key: string | number): string {
  return String(key).replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The value that `pointer` names in `root`; undefined when there is none. */
export function resolvePointer(root: unknown, pointer: string): unknown {
  let value = root;
  for (const token of pointerTokens(pointer)) {
    if (Array.isArray(value)) value = value[Number(token)];
    else if (isJsonObject(value) && Object.hasOwn(value, token)) value = value[token];
    else return undefined;
  }
  return value;
}
