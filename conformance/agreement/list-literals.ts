import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readRegistry } from "../../src/schemas/registry.js";

const BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const LENGTHS = ["minLength", "maxLength"];

/**
 * Values that a schema of the checkout at `root` names, and those to which it refers, with those on both sides of
 * every bound: what is right in one place of a record, and nearly right in others. Each once, by the schema's `$id`.
 */
export function listLiterals(root: string): ReadonlyMap<string, readonly unknown[]> {
  const texts = new Map(
    readRegistry(root).schemas.map(({ id, file }) => [id, readFileSync(join(root, file), "utf8")]),
  );
  return new Map(
    [...texts.keys()].map((id) => {
      const literals = new Set<unknown>();
      for (const text of withReferred(id, texts)) collect(JSON.parse(text), literals);
      return [id, [...literals]];
    }),
  );
}

/** The text of a schema, and of every other that it leads to. */
function withReferred(id: string, texts: ReadonlyMap<string, string>): string[] {
  const reached = new Set([id]);
  for (const each of reached) {
    for (const other of texts.keys()) {
      if (texts.get(each)?.includes(`"${other}#`)) reached.add(other);
    }
  }
  return [...reached].map((each) => texts.get(each) ?? "");
}

function collect(node: unknown, literals: Set<unknown>): void {
  if (typeof node !== "object" || node === null) return;
  for (const [keyword, value] of Object.entries(node)) {
    for (const literal of toLiterals(keyword, value)) literals.add(literal);
    collect(value, literals);
  }
}

function toLiterals(keyword: string, value: unknown): unknown[] {
  if (keyword === "const") return [value];
  if (keyword === "enum" && Array.isArray(value)) return value;
  if (typeof value !== "number") return [];
  if (BOUNDS.includes(keyword)) return [-1, -0.5, 0, 0.5, 1].map((step) => value + step);
  if (!LENGTHS.includes(keyword)) return [];
  // In characters beyond U+FFFF, which are two units of UTF-16.
  return [value - 1, value, value + 1].map((length) => "😀".repeat(Math.max(0, length)));
}
