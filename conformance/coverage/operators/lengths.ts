import type { Definitions } from "../../../src/contract/schemas/definitions.js";
import type { SchemaNode } from "../../../src/contract/schemas/nodes.js";
import { createSample, MAX_DERIVED_LENGTH } from "../samples.js";
import { type Mutation, NEVER, type Operator, type Witness } from "./operator.js";

export const maxItems = createLengthOperator({
  keyword: "maxItems",
  purpose: "an array that is longer by one item is refused, and the longest one is used",
  thing: "item",
  resize: resizeArray,
});

export const maxLength = createLengthOperator({
  keyword: "maxLength",
  purpose: "a text that is longer by one character is refused, and the longest one is used",
  thing: "character",
  resize: resizeText,
});

export const minItems = createLengthOperator({
  keyword: "minItems",
  purpose: "an array that is shorter by one item is refused, and the shortest one is used",
  thing: "item",
  resize: resizeArray,
});

export const minLength = createLengthOperator({
  keyword: "minLength",
  purpose: "a text that is shorter by one character is refused, and the shortest one is used",
  thing: "character",
  resize: resizeText,
});

/** One of the four keywords that limit a length. */
export interface LengthKeyword {
  readonly keyword: "minLength" | "maxLength" | "minItems" | "maxItems";
  readonly purpose: string;
  /** What is counted, in the singular. */
  readonly thing: "character" | "item";
  /** The value with another length. */
  resize(valid: unknown, length: number, node: SchemaNode, definitions: Definitions): unknown;
}

/** Limits of a length are moved by one, the smallest difference that a record can detect. */
export function createLengthOperator(limit: LengthKeyword): Operator {
  const { keyword, purpose, thing } = limit;
  const isLower = keyword.startsWith("min");
  const outward = isLower ? -1 : 1;
  const move = (node: SchemaNode, to: number): Pick<Mutation, "at" | "change" | "mutant"> => ({
    at: [keyword],
    change: `has ${keyword} ${to}`,
    mutant: { ...node, [keyword]: to },
  });
  const witnessesOf = (
    { node, definitions }: { node: SchemaNode; definitions: Definitions },
    length: number,
    why: string,
    name: string,
  ): Witness[] => {
    if (length > MAX_DERIVED_LENGTH) return [];
    const toValue = (valid: unknown): unknown => limit.resize(valid, length, node, definitions);
    const clause = length === 0 ? "is empty" : `has ${count(length, thing)}`;
    return [{ name: length === 0 ? "empty-%" : name, why: `% ${clause}, ${why}`, toValue }];
  };
  return {
    keyword,
    purpose,
    loosen(node, definitions) {
      const { [keyword]: length } = node;
      if (length === undefined) return [];
      if (isLower && length === 0) {
        const reason = "no length is below 0";
        return [{ at: [keyword], change: `has no ${keyword}`, reason }];
      }
      const least = `but must have at ${isLower ? "least" : "most"} ${length}`;
      const why = isLower && length === 1 ? "but must not be" : least;
      const name = isLower ? "too-short-%" : "too-long-%";
      const witnesses = witnessesOf({ node, definitions }, length + outward, why, name);
      return [{ ...move(node, length + outward), witnesses }];
    },
    tighten(node, definitions) {
      const { [keyword]: length } = node;
      if (length === undefined) return [];
      const why = `the ${isLower ? "fewest" : "most"} that are allowed`;
      const name = isLower ? "shortest-%" : "longest-%";
      const witnesses = witnessesOf({ node, definitions }, length, why, name);
      if (!isLower && length === 0) return [{ ...move(node, 0), mutant: NEVER, witnesses }];
      return [{ ...move(node, length - outward), witnesses }];
    },
  };
}

function count(length: number, thing: string): string {
  return `${length} ${thing}${length === 1 ? "" : "s"}`;
}

/** An array of `length` items: truncated, or its last item repeated. */
export function resizeArray(
  valid: unknown,
  length: number,
  { items = {} }: SchemaNode,
  definitions: Definitions,
): unknown[] {
  const values: unknown[] = Array.isArray(valid) ? valid.slice(0, length) : [];
  const filler = values.at(-1) ?? createSample(items, definitions);
  return [...values, ...Array(length - values.length).fill(filler)];
}

/** A string of `length` characters (code points): truncated, or its last character repeated. */
export function resizeText(valid: unknown, length: number): string {
  const characters = typeof valid === "string" ? [...valid] : [];
  return characters
    .slice(0, length)
    .join("")
    .padEnd(length, characters.at(-1) ?? "a");
}
