import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readRegistry } from "../registry/read-registry.js";

const BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const LENGTHS = ["minLength", "maxLength"];

/**
 * Values that the schemas of the checkout at `root` name, with those on both sides of every bound: what
 * is right in one place of a record, and nearly right in others. Each once.
 */
export function listLiterals(root: string): unknown[] {
  const literals = new Set<unknown>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [keyword, value] of Object.entries(node)) {
      for (const literal of toLiterals(keyword, value)) literals.add(literal);
      visit(value);
    }
  };
  for (const { file } of readRegistry(root).schemas) {
    visit(JSON.parse(readFileSync(join(root, file), "utf8")));
  }
  return [...literals];
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
