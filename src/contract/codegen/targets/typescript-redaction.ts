import type { Place } from "#generated/redaction.js";
import { type Definitions, definitionOf } from "../../schemas/definitions.js";
import { type SchemaNode, typesOf } from "../../schemas/nodes.js";
import { flattenAllOf } from "../definitions.js";
import { slashHeader } from "../file-header.js";
import type { Target } from "../target.js";

/** The values of `x-redact`. Everything else follows from the schema. */
export const REDACT_VALUES = [
  /** For a definition: the redactor also receives values of this type on their own. */
  "record",
  /** An identifier of a record or a call, for references. */
  "identifier",
  /** A string that is not a secret if it matches the field's pattern. */
  "fixed",
  /** Free text below an object or array, except that numbers are measurements and stay. */
  "measures",
  /** Free text, whatever the schema allows. */
  "open",
] as const;

type Fixed = Extract<Place, { kind: "fixed" }>;
type Fields = Readonly<Record<string, Place>>;

const OPEN: Place = { kind: "open" };

/** The fields of all record types combined, because the redactor does not know the type of a record. */
export function toRecordFields(definitions: Definitions): Fields {
  return [...definitions.values()]
    .filter(({ node }) => node["x-redact"] === "record")
    .map(({ node }) => toFields(node, definitions, [node]))
    .reduce(mergeFields, {});
}

/**
 * What redaction may do to a value of a node. Anything that the schema does not fix is open, the safe
 * default.
 */
export function toPlace(
  node: SchemaNode,
  definitions: Definitions,
  above: readonly SchemaNode[] = [],
): Place {
  // What contains itself may be anything.
  if (above.includes(node)) return OPEN;
  const within = [...above, node];
  const said = node["x-redact"];
  if (said === "identifier" || said === "measures" || said === "open") return { kind: said };
  if (node.$ref !== undefined)
    return toPlace(definitionOf(node.$ref, definitions).node, definitions, within);
  if (node.prefixItems !== undefined) return OPEN;
  if (node.properties !== undefined) {
    return { kind: "object", fields: toFields(node, definitions, within) };
  }
  if (node.items !== undefined) {
    return { kind: "list", element: toPlace(node.items, definitions, within) };
  }
  return toFixed(node) ?? OPEN;
}

function toFields(
  node: SchemaNode,
  definitions: Definitions,
  within: readonly SchemaNode[],
): Fields {
  const { properties = {} } = flattenAllOf(node, definitions);
  return Object.fromEntries(
    Object.entries(properties).map(([name, child]) => [name, toPlace(child, definitions, within)]),
  );
}

/** The numbers and words that a node allows; undefined if it allows arbitrary text. */
function toFixed(node: SchemaNode): Fixed | undefined {
  const types = typesOf(node);
  const numbers = types.includes("number") || types.includes("integer");
  const literals = node.enum ?? (node.const === undefined ? [] : [node.const]);
  const words = literals.filter((literal) => typeof literal === "string");
  // Keys may match a pattern, so the schema must state that matching strings are not secrets.
  const patterns = node["x-redact"] === "fixed" && node.pattern ? [node.pattern] : [];
  if (!numbers && words.length === 0 && patterns.length === 0) return undefined;
  return createFixed(numbers, words, patterns);
}

function createFixed(
  numbers: boolean,
  words: readonly string[],
  patterns: readonly string[],
): Fixed {
  return {
    kind: "fixed",
    ...(numbers && { numbers }),
    ...(words.length > 0 && { words }),
    ...(patterns.length > 0 && { patterns }),
  };
}

function mergeFields(some: Fields, more: Fields): Fields {
  const merged = new Map(Object.entries(some));
  for (const [name, place] of Object.entries(more)) {
    const known = merged.get(name);
    merged.set(name, known === undefined ? place : merge(known, place));
  }
  return Object.fromEntries(merged);
}

/** The place of a field that two types share: it keeps only values that both types allow to keep. */
function merge(one: Place, other: Place): Place {
  if (one.kind === "object" && other.kind === "object") {
    return { kind: "object", fields: mergeFields(one.fields, other.fields) };
  }
  if (one.kind === "list" && other.kind === "list") {
    return { kind: "list", element: merge(one.element, other.element) };
  }
  if (one.kind === "fixed" && other.kind === "fixed") {
    return createFixed(
      one.numbers === true || other.numbers === true,
      union(one.words, other.words),
      union(one.patterns, other.patterns),
    );
  }
  // If an object is also allowed, numbers and words are treated as text.
  if (isNested(one) && other.kind === "fixed") return one;
  if (one.kind === "fixed" && isNested(other)) return other;
  return one.kind === other.kind ? one : OPEN;
}

function isNested({ kind }: Place): boolean {
  return kind === "object" || kind === "list";
}

function union(some: readonly string[] = [], more: readonly string[] = []): string[] {
  return [...new Set([...some, ...more])];
}

export const typescriptRedaction: Target = {
  id: "typescript-redaction",
  purpose: "how each field of a record is redacted",
  async generate(input) {
    const { folder, definitions } = input;
    const header = slashHeader(input);
    const fields = Object.entries(toRecordFields(definitions));
    return [
      {
        path: `${folder}/redaction.js`,
        text: [
          header,
          "export const recordFields = {",
          ...fields.map(([name, place]) => `  ${JSON.stringify(name)}: ${JSON.stringify(place)},`),
          "};",
          "",
        ].join("\n"),
      },
      {
        path: `${folder}/redaction.d.ts`,
        text: [header, TYPES].join("\n"),
      },
    ];
  },
};

const TYPES = `/** The kind of value at a place of a record, which determines how it is redacted. */
export type Place =
  /** Anything that agents and tools write. */
  | { readonly kind: "open" }
  /** An identifier of a record or a call, for references. */
  | { readonly kind: "identifier" }
  /** Numbers, words, and strings that match a pattern are kept; anything else is open. */
  | {
      readonly kind: "fixed";
      readonly numbers?: boolean;
      readonly words?: readonly string[];
      readonly patterns?: readonly string[];
    }
  /** Open, but numbers are measurements and are kept. */
  | { readonly kind: "measures" }
  /** Known fields keep their names; others are open. */
  | { readonly kind: "object"; readonly fields: Readonly<Record<string, Place>> }
  | { readonly kind: "list"; readonly element: Place };

/** The fields of all record types, and of the parts that are redacted separately. */
export const recordFields: Readonly<Record<string, Place>>;
`;
