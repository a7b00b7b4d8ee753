import canonicalize from "canonicalize";
import { isJsonObject } from "../../../src/records/json-object.js";
import { pointerTokens } from "../../../src/records/resolve-pointer.js";
import type { SchemaLocation } from "../schema-set.js";
import { childOf } from "../schema-set.js";
import { subschemas } from "../subschemas.js";
import { isAnnotation } from "./annotations.js";

/**
 * A text that is the same for schemas that differ only in annotations, in the order of keys, and in the names
 * and places of what they refer to.
 */
export class Fingerprints {
  readonly #known = new WeakMap<object, string>();
  /** A short name for each text. */
  readonly #names = new Map<string, string>();
  #unlike = 0;

  of(location: SchemaLocation): string {
    if (typeof location.schema === "boolean") return String(location.schema);
    const known = this.#known.get(location.schema);
    if (known !== undefined) return known;
    const text = this.#make(location);
    const name = this.#names.get(text) ?? `schema ${this.#names.size}`;
    this.#names.set(text, name);
    this.#known.set(location.schema, name);
    return name;
  }

  #make(root: SchemaLocation): string {
    const targets: SchemaLocation[] = [root];
    const numberOf = new Map<string, number>([[idOf(root), 0]]);
    const bodies: unknown[] = [];
    for (let at = 0; at < targets.length; at += 1) {
      const target = targets[at];
      if (target === undefined) break;
      bodies.push(
        this.#strip(target, (reference) => {
          const id = idOf(reference);
          const number = numberOf.get(id) ?? targets.push(reference) - 1;
          numberOf.set(id, number);
          return number;
        }),
      );
    }
    return canonicalize(bodies) ?? "";
  }

  #strip(location: SchemaLocation, numberOf: (reference: SchemaLocation) => number): unknown {
    const { schema } = location;
    if (typeof schema === "boolean") return schema;
    const stripped: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (isAnnotation(keyword)) continue;
      if (keyword === "$ref")
        stripped.$ref = numberOf(location.set.resolve(location, String(value)));
      else if (keyword === "$dynamicRef" || keyword === "$recursiveRef") {
        // What it leads to depends on where it is come from: it is like no other.
        this.#unlike += 1;
        stripped[keyword] = this.#unlike;
      } else stripped[keyword] = value;
    }
    for (const [pointer] of subschemas(schema)) {
      const [keyword = "", ...below] = pointerTokens(pointer);
      if (!Object.hasOwn(stripped, keyword)) continue;
      const child = this.#strip(childOf(location, pointer), numberOf);
      stripped[keyword] = replace(stripped[keyword], below, child);
    }
    return stripped;
  }
}

function idOf({ uri, pointer }: SchemaLocation): string {
  return `${uri}#${pointer}`;
}

/** The value with what stands below it replaced. */
function replace(value: unknown, [token, ...below]: readonly string[], by: unknown): unknown {
  if (token === undefined) return by;
  if (Array.isArray(value))
    return value.with(Number(token), replace(value[Number(token)], below, by));
  return isJsonObject(value) ? { ...value, [token]: replace(value[token], below, by) } : value;
}
