import { toPointerToken } from "../../base/json/pointer.js";
import {
  DEFINITION_KEYWORDS,
  LIST_APPLICATORS,
  MAP_APPLICATORS,
  SINGLE_APPLICATORS,
} from "./keywords.js";

/**
 * A schema object in the normal form that every generator reads: the keywords of draft 2020-12, and no boolean schemas but in
 * `additionalProperties`. Keywords beside a `$ref` hold, too. `format` is an assertion. Documents are checked against the
 * metaschema before they are treated as this type.
 */
export interface SchemaNode {
  readonly $schema?: string;
  readonly $id?: string;
  readonly $ref?: string;
  readonly $defs?: NodeMap;
  readonly title?: string;
  readonly description?: string;
  readonly type?: TypeName | readonly TypeName[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly allOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly not?: SchemaNode;
  readonly if?: SchemaNode;
  readonly then?: SchemaNode;
  readonly else?: SchemaNode;
  readonly properties?: NodeMap;
  readonly patternProperties?: NodeMap;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly propertyNames?: SchemaNode;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly dependentSchemas?: NodeMap;
  readonly items?: SchemaNode;
  readonly prefixItems?: readonly SchemaNode[];
  readonly contains?: SchemaNode;
  readonly minContains?: number;
  readonly maxContains?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly multipleOf?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  /** How redaction may treat a value; the schema lint `redaction` ensures that it is one of REDACT_VALUES. */
  readonly "x-redact"?: unknown;
  /** Not JSON Schema: json-schema-to-typescript prints this type for the node. */
  readonly tsType?: string;
}

type NodeMap = Readonly<Record<string, SchemaNode>>;

export type TypeName = "string" | "number" | "integer" | "boolean" | "object" | "array" | "null";

/** Whether an object of this schema has the properties that it declares, and no others. */
export function isClosed({ additionalProperties, patternProperties }: SchemaNode): boolean {
  return additionalProperties === false && patternProperties === undefined;
}

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

const MAPS = MAP_APPLICATORS.filter((keyword) => !DEFINITION_KEYWORDS.includes(keyword));

/**
 * A copy of the node with each direct subschema replaced, but for its definitions. `path` is the location of the subschema:
 * the keyword, and the property's name or the member's index.
 */
export function mapSubschemas(
  node: SchemaNode,
  map: (subschema: SchemaNode, path: readonly string[]) => SchemaNode,
): SchemaNode {
  const copy: Record<string, unknown> = { ...node };
  for (const [keyword, value] of Object.entries(node)) {
    if (typeof value !== "object" || value === null) continue;
    if (SINGLE_APPLICATORS.includes(keyword)) copy[keyword] = map(value, [keyword]);
    else if (LIST_APPLICATORS.includes(keyword)) {
      copy[keyword] = value.map((member: SchemaNode, at: number) =>
        map(member, [keyword, `${at}`]),
      );
    } else if (MAPS.includes(keyword)) {
      copy[keyword] = Object.fromEntries(
        Object.entries<SchemaNode>(value).map(([name, child]) => [
          name,
          map(child, [keyword, name]),
        ]),
      );
    }
  }
  return copy;
}
