import { EXIT, UserError } from "../../src/user-error.js";
import { type Definitions, declaredIn, definitionOf } from "../schemas/definitions.js";
import { type SchemaNode, typesOf } from "../schemas/nodes.js";

/**
 * The smallest valid value of `node`: only required fields, the shortest arrays and texts, the
 * lowest numbers. It is a proposal: keywords that contradict each other have no sample, nor has what must be
 * longer than MAX_DERIVED_LENGTH.
 *
 * Throws UserError when a definition requires itself, so that no finite value is valid.
 */
export function createSample(node: SchemaNode, definitions: Definitions): unknown {
  return sampleOf(node, definitions, []);
}

function sampleOf(node: SchemaNode, definitions: Definitions, path: readonly string[]): unknown {
  const { $ref } = node;
  if ($ref !== undefined) {
    if (path.includes($ref)) {
      const cycle = [...path, $ref].join(" > ");
      throw new UserError(`no finite record is valid: ${cycle} requires itself`, EXIT.findings);
    }
    return sampleOf(definitionOf($ref, definitions).node, definitions, [...path, $ref]);
  }
  if (node.const !== undefined) return node.const;
  if (node.enum !== undefined) return node.enum[0];
  const [type = "string"] = typesOf(node);
  if (type === "object") {
    const { properties, required } = declaredIn(node, definitions);
    const fields = required.map((name) => [
      name,
      sampleOf(properties[name] ?? {}, definitions, path),
    ]);
    return Object.fromEntries(fields);
  }
  if (type === "array") {
    const length = Math.min(node.minItems ?? 0, MAX_DERIVED_LENGTH);
    return length === 0 ? [] : Array(length).fill(sampleOf(node.items ?? {}, definitions, path));
  }
  if (type === "null") return null;
  if (type === "boolean") return false;
  return type === "string" ? sampleText(node) : sampleNumber(node, type === "integer");
}

function sampleText({ pattern, format, minLength = 0 }: SchemaNode): string {
  if (pattern !== undefined) return samplePattern(pattern) ?? "";
  if (format !== undefined) return sampleFormat(format);
  return "a".repeat(Math.min(minLength, MAX_DERIVED_LENGTH));
}

function sampleNumber(node: SchemaNode, isInteger: boolean): number {
  const step = isInteger ? 1 : 0.05;
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = node;
  if (minimum !== undefined) return minimum;
  if (exclusiveMinimum !== undefined) return exclusiveMinimum + step;
  const highest = maximum ?? (exclusiveMaximum === undefined ? 0 : exclusiveMaximum - step);
  return Math.min(0, highest);
}

/** One text of each format that a person meets in records; others need a fixture by hand. */
const SAMPLES: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  time: "12:30:00Z",
  "date-time": "2026-01-31T12:30:00Z",
  email: "someone@example.org",
  hostname: "example.org",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.org/",
  "uri-reference": "/path",
  uuid: "6f1c0d1e-4b3a-4c2d-8e9f-0a1b2c3d4e5f",
  "json-pointer": "/field",
};

/** A text of the format; "" for one that is not known here. */
export function sampleFormat(format: string): string {
  return SAMPLES[format] ?? "";
}

/**
 * Characters or items of a text or an array that is derived, at most: nobody would read a longer fixture. For
 * limits beyond it no fixture is derived, so that no schema, however odd, fills the memory.
 */
export const MAX_DERIVED_LENGTH = 2 ** 16;

/**
 * A short text that the ECMAScript pattern `source` (flag `u`) matches; undefined when none was found.
 *
 * Reads literals, escapes, classes, groups, alternatives (the first one) and quantifiers (the fewest
 * repetitions). What else a pattern holds, such as a look-ahead, it does not understand. The caller
 * tries the text out, within a time limit.
 */
export function samplePattern(source: string): string | undefined {
  try {
    return new PatternSampler(source).sample();
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
}

class NotUnderstood extends Error {}

const ESCAPES: Readonly<Record<string, string>> = {
  d: "0",
  w: "a",
  s: " ",
  n: "\n",
  t: "\t",
  r: "\r",
  D: "a",
  W: " ",
  S: "a",
};

/** Characters that are tried for a class that says only what it does not contain. */
const PLAIN = ["a", "0", "-", " ", "A", "é"];

class PatternSampler {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(source: string) {
    this.#characters = [...source];
  }

  sample(): string {
    const text = this.#alternatives();
    if (this.#at < this.#characters.length) throw new NotUnderstood();
    return text;
  }

  #alternatives(): string {
    const first = this.#sequence();
    while (this.#take("|")) this.#sequence();
    return first;
  }

  #sequence(): string {
    let text = "";
    while (this.#at < this.#characters.length && !["|", ")"].includes(this.#peek())) {
      const atom = this.#atom();
      const repetitions = this.#repetitions();
      if (text.length + atom.length * repetitions > MAX_DERIVED_LENGTH) throw new NotUnderstood();
      text += atom.repeat(repetitions);
    }
    return text;
  }

  #atom(): string {
    const character = this.#next();
    if (character === "^" || character === "$") return "";
    if (character === ".") return "a";
    if (character === "[") return this.#class();
    if (character === "(") return this.#group();
    if (character === "\\") return this.#escape();
    return character;
  }

  #group(): string {
    if (this.#take("?")) {
      if (this.#take("<")) while (this.#next() !== ">");
      else if (!this.#take(":")) throw new NotUnderstood();
    }
    const text = this.#alternatives();
    if (!this.#take(")")) throw new NotUnderstood();
    return text;
  }

  #class(): string {
    const start = this.#at - 1;
    const negated = this.#take("^");
    let first: string | undefined;
    while (!this.#take("]")) {
      const character = this.#next();
      const member = character === "\\" ? this.#escape() : character;
      first ??= member;
    }
    if (!negated) return first ?? fail();
    const source = this.#characters.slice(start, this.#at).join("");
    return PLAIN.find((plain) => new RegExp(source, "u").test(plain)) ?? fail();
  }

  #escape(): string {
    const character = this.#next();
    if (/[1-9bBpPkuxc]/.test(character)) throw new NotUnderstood();
    return ESCAPES[character] ?? character;
  }

  #repetitions(): number {
    let least = 1;
    if (this.#take("?") || this.#take("*")) least = 0;
    else if (this.#take("{")) {
      let digits = "";
      for (let next = this.#next(); next !== "}"; next = this.#next()) digits += next;
      least = Number.parseInt(digits, 10);
    } else if (!this.#take("+")) return 1;
    this.#take("?");
    return least;
  }

  #peek(): string {
    return this.#characters[this.#at] ?? fail();
  }

  #next(): string {
    const character = this.#peek();
    this.#at += 1;
    return character;
  }

  #take(character: string): boolean {
    if (this.#characters[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }
}

function fail(): never {
  throw new NotUnderstood();
}
