/**
 * One location of a JSON Schema 2020-12 document, limited to the keywords that a generator reads.
 * Documents are checked against the meta-schema before they are seen as this.
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
  /** Only in mutants of a schema: the profile refuses it. */
  readonly not?: SchemaNode;
  /** Not JSON Schema: json-schema-to-typescript prints this type for the node. */
  readonly tsType?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

export type TypeName = "string" | "number" | "integer" | "boolean" | "object" | "array" | "null";

/** The node's types as a list; empty when any type is allowed. */
export function typesOf(node: SchemaNode): readonly TypeName[] {
  if (node.type === undefined) return [];
  return typeof node.type === "string" ? [node.type] : node.type;
}
