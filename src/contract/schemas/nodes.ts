import { toPointerToken } from "../../base/json/pointer.js";

/**
 * A schema object of JSON Schema 2020-12, limited to the keywords that a generator reads. Documents are
 * checked against the metaschema before they are treated as this type.
 */
export interface SchemaNode {
  readonly $schema?: string;
  readonly $id?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, SchemaNode>>;
  readonly title?: string;
  readonly description?: string;
  readonly type?: TypeName | readonly TypeName[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | SchemaNode;
  readonly items?: SchemaNode;
  readonly allOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  /** How redaction may treat a value; the schema lint `redaction` ensures that it is one of REDACT_VALUES. */
  readonly "x-redact"?: unknown;
  /** Only in mutants of a schema: the profile rejects it. */
  readonly not?: SchemaNode;
  /** Not JSON Schema: json-schema-to-typescript prints this type for the node. */
  readonly tsType?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

export type TypeName = "string" | "number" | "integer" | "boolean" | "object" | "array" | "null";

/** The node's types as a list; empty if any type is allowed. */
export function typesOf(node: SchemaNode): readonly TypeName[] {
  if (node.type === undefined) return [];
  return typeof node.type === "string" ? [node.type] : node.type;
}

/** A node of a schema, and its location in the document. */
export interface PlacedNode {
  readonly node: SchemaNode;
  /** The unescaped keywords, names and indices of its location. */
  readonly path: readonly string[];
  /** The same as a JSON Pointer. */
  readonly pointer: string;
}

/** A node and all nodes below it, parents before children; `path` is the location of the node. */
export function* walkNodes(node: SchemaNode, path: readonly string[] = []): Generator<PlacedNode> {
  // The metaschema allows `true` and `false` wherever it allows a schema.
  if (typeof node !== "object") return;
  yield { node, path, pointer: path.map((token) => `/${toPointerToken(token)}`).join("") };
  const parts: (readonly [SchemaNode, readonly string[]])[] = [];
  mapSubschemas(node, (part, at) => {
    parts.push([part, [...path, ...at]]);
    return part;
  });
  for (const [part, at] of parts) yield* walkNodes(part, at);
}

/**
 * A copy of the node with each direct subschema replaced. `path` is the location of the subschema: the
 * keyword, and the property's name or the member's index.
 */
export function mapSubschemas(
  node: SchemaNode,
  map: (subschema: SchemaNode, path: readonly string[]) => SchemaNode,
): SchemaNode {
  const { allOf, properties, items, additionalProperties, anyOf } = node;
  return {
    ...node,
    ...(allOf && { allOf: allOf.map((member, at) => map(member, ["allOf", `${at}`])) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, child]) => [name, map(child, ["properties", name])]),
      ),
    }),
    ...(items && { items: map(items, ["items"]) }),
    ...(typeof additionalProperties === "object" && {
      additionalProperties: map(additionalProperties, ["additionalProperties"]),
    }),
    ...(anyOf && { anyOf: anyOf.map((member, at) => map(member, ["anyOf", `${at}`])) }),
  };
}
