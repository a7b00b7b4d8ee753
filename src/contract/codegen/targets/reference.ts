import type { SourceSchema } from "../../schemas/definitions.js";
import { definitionOf, definitionsIn } from "../../schemas/definitions.js";
import { type SchemaNode, typesOf } from "../../schemas/nodes.js";
import { flattenAllOf } from "../definitions.js";
import { headerLines, ownGenerator } from "../file-header.js";
import type { CodegenInput, GeneratedFile, Target } from "../target.js";

export const reference: Target = {
  id: "reference",
  purpose: "field tables in Markdown, for people",
  isForWire: true,
  async generate(input) {
    return input.schemas.map((schema) => printPage(schema, input));
  },
};

function printPage(schema: SourceSchema, input: CodegenInput): GeneratedFile {
  const header = headerLines(ownGenerator(), [schema]);
  const { title, description } = schema.document;
  const sections = definitionsIn(schema, input.definitions).map(({ name, node }) =>
    printDefinition(name, flattenAllOf(node, input.definitions), schema, input),
  );
  return {
    path: `${input.folder}/${schema.name}.md`,
    text: [
      `<!--\n${header.join("\n")}\n-->`,
      `# ${typeof title === "string" ? title : schema.name}`,
      typeof description === "string" ? description : "",
      `Record types of a JSONL line: ${schema.entryTypes.map((name) => `[${name}](#${name.toLowerCase()})`).join(", ")}.`,
      ...sections,
    ]
      .join("\n\n")
      .concat("\n"),
  };
}

function printDefinition(
  name: string,
  node: SchemaNode,
  schema: SourceSchema,
  input: CodegenInput,
): string {
  const intro = [`## ${name}`, node.description ?? ""];
  const properties = Object.entries(node.properties ?? {});
  if (properties.length === 0) {
    return [...intro, `Type: ${describeType(node, schema, input)}`].join("\n\n");
  }
  const required = new Set(node.required);
  const rows = properties.map(([field, child]) =>
    row([
      `\`${field}\``,
      describeType(child, schema, input),
      required.has(field) ? "yes" : "no",
      child.description ?? "",
    ]),
  );
  const table = [row(["field", "type", "required", "meaning"]), row(["---", "---", "---", "---"])];
  const openness =
    node.additionalProperties === false
      ? "Closed: no other field is allowed."
      : "Open: unknown fields are allowed.";
  return [...intro, openness, [...table, ...rows].join("\n")].join("\n\n");
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
}

function describeType(node: SchemaNode, schema: SourceSchema, input: CodegenInput): string {
  if (node.$ref !== undefined) {
    const target = definitionOf(node.$ref, input.definitions);
    const page = target.schema === schema ? "" : `${target.schema.name}.md`;
    return `[${target.name}](${page}#${target.name.toLowerCase()})`;
  }
  if (node.const !== undefined) return code(node.const);
  const limits = describeLimits(node);
  const types = typesOf(node).map((type) =>
    type === "array" ? `array of ${describeType(node.items ?? {}, schema, input)}` : type,
  );
  const base = node.enum?.map(code).join(", ") ?? (types.join(" or ") || "any JSON value");
  return [base, ...limits].join(", ");
}

function describeLimits(node: SchemaNode): string[] {
  const limit = (value: unknown, words: string): string[] =>
    value === undefined ? [] : [`${words} ${value}`];
  return [
    ...limit(node.minimum, ">="),
    ...limit(node.exclusiveMinimum, ">"),
    ...limit(node.maximum, "<="),
    ...limit(node.exclusiveMaximum, "<"),
    ...limit(node.minLength, "length >="),
    ...limit(node.maxLength, "length <="),
    ...limit(node.minItems, "items >="),
    ...limit(node.maxItems, "items <="),
    ...limit(node.format, "format"),
    ...(node.pattern === undefined ? [] : [`matches \`${node.pattern}\``]),
  ];
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}
