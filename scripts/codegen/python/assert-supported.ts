import { EXIT, UserError } from "../../../src/user-error.js";
import type { Definition } from "../resolve-ref.js";
import { ANNOTATIONS, type SchemaNode, typesOf } from "../schema-node.js";
import { formatTest } from "./format-test.js";

/** Keywords that the Python code checks. */
const ASSERTIONS = [
  ...["$ref", "type", "enum", "const", "properties", "required", "additionalProperties", "items"],
  ...["minItems", "maxItems", "minLength", "maxLength", "pattern", "format"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
];

const SUPPORTED = new Set([...ANNOTATIONS, ...ASSERTIONS]);

/**
 * Refuses what the Python code would not check: a keyword left out silently would give Python
 * another verdict than TypeScript. Throws UserError with the JSON Pointer.
 */
export function assertSupported({ name, schema, node }: Definition): void {
  assertNode(node, `${schema.file} /$defs/${name}`);
}

function assertNode(node: SchemaNode, place: string): void {
  for (const keyword of Object.keys(node)) {
    if (!SUPPORTED.has(keyword)) throw unsupported(place, `"${keyword}"`);
  }
  if (node.$ref !== undefined) {
    const beside = Object.keys(node).find((key) => key !== "$ref" && ASSERTIONS.includes(key));
    if (beside !== undefined) throw unsupported(place, `"${beside}" beside "$ref"`);
  }
  if (node.format !== undefined && formatTest(node.format, "", () => "") === undefined) {
    throw unsupported(place, `the format "${node.format}"`);
  }
  if (node.items !== undefined && !typesOf(node).includes("array")) {
    throw unsupported(place, '"items" without "type": "array"');
  }
  if (
    typeof node.additionalProperties === "object" &&
    (node.items ?? node.properties) !== undefined
  ) {
    throw unsupported(place, '"additionalProperties" as a schema beside "properties" or "items"');
  }
  for (const [name, child] of Object.entries(node.properties ?? {})) {
    assertNode(child, `${place}/properties/${name}`);
  }
  if (node.items !== undefined) assertNode(node.items, `${place}/items`);
  if (typeof node.additionalProperties === "object") {
    assertNode(node.additionalProperties, `${place}/additionalProperties`);
  }
}

function unsupported(place: string, what: string): UserError {
  return new UserError(
    `${place}: the Python package does not check ${what}, so its verdict would differ: ` +
      "say it with another keyword, or teach scripts/codegen/python",
    EXIT.findings,
  );
}
