import { parse, type ValueNode } from "@humanwhocodes/momoa";
import { isJsonObject } from "./value.js";

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

/**
 * Longest text, in UTF-16 code units, in which places are looked up. Momoa's tree takes up to 130
 * bytes of heap per character (measured on an array of numbers), so this bounds it to about 130 MB.
 */
export const MAX_LOCATED_LENGTH = 2 ** 20;

/**
 * Columns, counted from 1 in UTF-16 code units as editors and SARIF do, at which the values that
 * `pointers` name begin in the line `text`; 1 where `locateOffsets` says 0.
 */
export function locatePointers(text: string, pointers: readonly string[]): number[] {
  // Not Momoa's column, which begins anew after a carriage return: that is white space of a line.
  return locateOffsets(text, pointers).map((offset) => offset + 1);
}

/**
 * Offsets in UTF-16 code units at which the values that `pointers` name begin in the JSON text `text`.
 * Of duplicate keys the last one counts, as for JSON.parse.
 *
 * Falls back to 0 for a pointer that names nothing, and for all of them when the text is longer than
 * MAX_LOCATED_LENGTH, nested more deeply than the parser's stack, or not JSON.
 */
export function locateOffsets(text: string, pointers: readonly string[]): number[] {
  const root = parseNodes(text);
  return pointers.map((pointer) => (root && findNode(root, pointer)?.loc.start.offset) ?? 0);
}

function parseNodes(text: string): ValueNode | undefined {
  if (text.length > MAX_LOCATED_LENGTH) return undefined;
  try {
    return parse(text, { mode: "json" }).body;
  } catch {
    // A position is a service to the reader; without one the finding itself must still be told.
    return undefined;
  }
}

function findNode(root: ValueNode, pointer: string): ValueNode | undefined {
  let node: ValueNode | undefined = root;
  for (const token of pointerTokens(pointer)) node = node && childOf(node, token);
  return node;
}

function childOf(node: ValueNode, token: string): ValueNode | undefined {
  if (node.type === "Array") return node.elements[Number(token)]?.value;
  if (node.type !== "Object") return undefined;
  return node.members.findLast(
    ({ name }) => (name.type === "String" ? name.value : name.name) === token,
  )?.value;
}
