import { isJsonObject } from "../../../base/json/value.js";
import { KEYWORDS, type Likeness } from "./likeness.js";

/** Names in a schema, for finding it in a text of any language. */
export interface SchemaNames {
  /** Of all properties and definitions. */
  readonly whole: ReadonlySet<string>;
  /** Of the properties of each large object, by name. */
  readonly parts: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Objects with fewer names, without types, resemble too many others. */
const MIN_NAMES = 10;

/** The names of an object must occur within this many times their number of names. */
const SPREAD = 2;

/**
 * Follows a colon if an object begins, in JSON, program literals and YAML. Comments are matched up to a limit, since a
 * line may be a megabyte with many colons.
 */
const OPENS = /\s*(?:\{|(?:#.{0,99})?\n[ \t]+[\w"'$-]+[ \t]*:)/y;

/** The name before the colon: unquoted, quoted, or with escaped quotes. */
const NAME = /([A-Za-z_$][\w$-]*)\\*["'`]?\s*$/;

/** Limit on the characters before a colon that may contain the name. */
const REACH = 64;

/** A text without this contains no schema. */
const HAS_PROPERTIES = /\bproperties\\*["'`]?\s*:\s*[{\n#]/;

/** The names in a schema. */
export function namesOf(document: unknown): SchemaNames {
  const whole = new Set<string>();
  const parts = new Map<string, ReadonlySet<string>>();
  const waiting: [name: string, value: unknown][] = [["", document]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [name, value] = next;
    if (!isJsonObject(value)) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (Array.isArray(inner)) for (const each of inner) waiting.push([name, each]);
      else waiting.push([KEYWORDS.has(key) ? name : key, inner]);
    }
    for (const group of [value.$defs, value.properties]) {
      if (isJsonObject(group)) for (const key of Object.keys(group)) whole.add(key);
    }
    const own = isJsonObject(value.properties) ? Object.keys(value.properties) : [];
    if (own.length >= MIN_NAMES) parts.set(name, new Set(own));
  }
  return { whole, parts };
}

/**
 * The names in a text that are followed by an object, as in schemas, in order. In records and types, something else
 * follows a name. Empty if the text cannot contain a schema.
 */
export function readOpenedNames(text: string): string[] {
  if (!HAS_PROPERTIES.test(text)) return [];
  const names: string[] = [];
  for (let colon = text.indexOf(":"); colon >= 0; colon = text.indexOf(":", colon + 1)) {
    OPENS.lastIndex = colon + 1;
    if (!OPENS.test(text)) continue;
    const [, name] = NAME.exec(text.slice(Math.max(0, colon - REACH), colon)) ?? [];
    if (name !== undefined && !KEYWORDS.has(name)) names.push(name);
  }
  return names;
}

/** How much of a schema is in a text: the share of its names, and of the names of one of its objects. */
export function compareNames(written: readonly string[], { whole, parts }: SchemaNames): Likeness {
  let closest: Likeness["part"];
  for (const [name, names] of parts) {
    const similarity = shareOf(names, written);
    if (similarity > (closest?.similarity ?? 0)) closest = { at: name, name, similarity };
  }
  return { whole: shareOf(whole, written), part: closest };
}

/** The largest share of `names` in any window of `written` that is SPREAD times as long. */
function shareOf(names: ReadonlySet<string>, written: readonly string[]): number {
  if (names.size === 0) return 0;
  // Shortcut: most texts have hardly any of the names.
  const found = new Set(written.filter((name) => names.has(name)));
  if (found.size <= 1 || written.length <= SPREAD * names.size) return found.size / names.size;
  const counts = new Map<string, number>();
  let most = 0;
  for (const [index, name] of written.entries()) {
    if (names.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
    const left = written[index - SPREAD * names.size];
    const count = left === undefined ? undefined : counts.get(left);
    if (left !== undefined && count !== undefined) {
      if (count === 1) counts.delete(left);
      else counts.set(left, count - 1);
    }
    most = Math.max(most, counts.size);
  }
  return most / names.size;
}
