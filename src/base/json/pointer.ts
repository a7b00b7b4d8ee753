import { type ObjectNode, parse, type ValueNode } from "@humanwhocodes/momoa";
import { isJsonObject } from "./value.js";

/** Splits a JSON Pointer (RFC 6901) into unescaped reference tokens; empty for "". */
export function pointerTokens(pointer: string): string[] {
  const tokens = pointer.split("/").slice(1);
  if (!pointer.includes("~")) return tokens;
  return tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Escapes an object key or array index as a reference token (RFC 6901, section 3). */
export function toPointerToken(key: string | number): string {
  const text = String(key);
  return /[~/]/.test(text) ? text.replaceAll("~", "~0").replaceAll("/", "~1") : text;
}

/** Returns the value that `pointer` names in `root`; undefined if there is none. */
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
 * Longest text, in UTF-16 code units, in which pointers are located. Momoa's tree takes up to 130 bytes of heap
 * per character (measured on an array of numbers), so this limits it to about 130 MB.
 */
export const MAX_LOCATED_LENGTH = 2 ** 20;

/**
 * Returns the columns at which the values named by `pointers` begin in the line `text`. Columns count from 1 in
 * UTF-16 code units, as in editors and SARIF. The column is 1 where `locateOffsets` returns 0.
 */
export function locatePointers(text: string, pointers: readonly string[]): number[] {
  // Momoa's own column restarts after a carriage return, which is only white space within a line.
  return locateOffsets(text, pointers).map((offset) => offset + 1);
}

/**
 * Returns the offsets, in UTF-16 code units, at which the values named by `pointers` begin in the JSON text
 * `text`. For duplicate keys the last one counts, as in JSON.parse.
 *
 * The offset is 0 for a pointer that names nothing. All offsets are 0 if the text is longer than
 * MAX_LOCATED_LENGTH, nested too deeply for the parser's stack, or not JSON.
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
    // The position is optional: without it the finding must still be reported.
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
  return membersOf(node).get(token);
}

/** The values of an object by key; for duplicate keys the last one. Cached, because many pointers share their parents. */
function membersOf(node: ObjectNode): ReadonlyMap<string, ValueNode> {
  const known =
    members.get(node) ??
    new Map(
      node.members.map(({ name, value }) => [
        name.type === "String" ? name.value : name.name,
        value,
      ]),
    );
  members.set(node, known);
  return known;
}

const members = new WeakMap<ObjectNode, ReadonlyMap<string, ValueNode>>();
