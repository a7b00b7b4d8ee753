import { type SchemaNode, type TypeName, typesOf } from "../../../conformance/schemas/nodes.js";
import { pythonLiteral } from "./python-literal.js";

const SCALARS: Readonly<Partial<Record<TypeName, string>>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

/** The Python type of the values that `node` describes. */
export function annotation(node: SchemaNode): string {
  if (node.$ref !== undefined) return node.$ref;
  if (node.const !== undefined) return `Literal[${pythonLiteral(node.const)}]`;
  if (node.enum !== undefined) return `Literal[${node.enum.map(pythonLiteral).join(", ")}]`;
  const types = typesOf(node);
  if (types.length === 0) return "JsonValue";
  return types.map((type) => typeAnnotation(type, node)).join(" | ");
}

function typeAnnotation(type: TypeName, node: SchemaNode): string {
  if (type === "array") {
    return `tuple[${annotation(node.items ?? {})}, ...]`;
  }
  if (type === "object") {
    const values = typeof node.additionalProperties === "object" ? node.additionalProperties : {};
    return `Mapping[str, ${annotation(values)}]`;
  }
  return SCALARS[type] ?? "JsonValue";
}
