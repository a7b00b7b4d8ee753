import type { SourceSchema } from "../../schemas/definitions.js";
import { definitionOf, definitionsIn } from "../../schemas/definitions.js";
import { type SchemaNode, typesOf } from "../../schemas/nodes.js";
import { flattenAllOf } from "../definitions.js";
import { headerLines } from "../file-header.js";
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
  const header = headerLines({ ...input, schemas: [schema] });
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
  const openness = describeOpenness(node, schema, input);
  const rules = describeRules(node, schema, input);
  if (rules.length > 0) intro.push(`And: ${rules.join(", ")}.`);
  return [...intro, openness, [...table, ...rows].join("\n")].join("\n\n");
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
}

function describeOpenness(node: SchemaNode, schema: SourceSchema, input: CodegenInput): string {
  const { additionalProperties: others } = node;
  if (typeof others === "object") return `Other fields: ${describeType(others, schema, input)}.`;
  return others === false
    ? "Closed: no other field is allowed."
    : "Open: unknown fields are allowed.";
}

function describeType(node: SchemaNode, schema: SourceSchema, input: CodegenInput): string {
  const describe = (child: SchemaNode): string => describeType(child, schema, input);
  if (node.not !== undefined && Object.keys(node.not).length === 0) return "nothing";
  const list = (): string => {
    const { prefixItems = [], items = {} } = node;
    const first = prefixItems.map(describe);
    if (first.length === 0) return `array of ${describe(items)}`;
    return `array of ${[...first, `then ${describe(items)}`].join(", ")}`;
  };
  const types = typesOf(node).map((type) => (type === "array" ? list() : type));
  const literals = node.const === undefined ? node.enum : [node.const];
  const said = [
    ...(node.$ref === undefined ? [] : [linkTo(node.$ref, schema, input)]),
    ...(literals?.map(code) ?? (types.length > 0 ? [types.join(" or ")] : [])),
  ];
  const limits = node.const === undefined ? describeLimits(node) : [];
  const all = [...said, ...limits, ...describeRules(node, schema, input)];
  const isTyped = said.length > 0 || node.allOf || node.anyOf || node.oneOf;
  return [...(isTyped ? [] : ["any JSON value"]), ...all].join(", ");
}

function linkTo(ref: string, schema: SourceSchema, { definitions }: CodegenInput): string {
  const target = definitionOf(ref, definitions);
  const page = target.schema === schema ? "" : `${target.schema.name}.md`;
  return `[${target.name}](${page}#${target.name.toLowerCase()})`;
}

/** What other schemas say of the value, and what is said of its keys and items. */
function describeRules(node: SchemaNode, schema: SourceSchema, input: CodegenInput): string[] {
  const describe = (child: SchemaNode): string => describeType(child, schema, input);
  const each = (words: string, nodes: readonly SchemaNode[] | undefined, between: string) =>
    nodes === undefined ? [] : [`${words}(${nodes.map(describe).join(between)})`];
  const one = (words: string, child: SchemaNode | undefined): string[] =>
    child === undefined ? [] : [`${words} (${describe(child)})`];
  const map = (words: string, children: SchemaNode["properties"]): string[] =>
    Object.entries(children ?? {}).map(
      ([name, child]) => `${words} ${code(name)}: (${describe(child)})`,
    );
  const { minContains = 1, maxContains } = node;
  const most = maxContains === undefined ? "" : ` and at most ${maxContains}`;
  const excluded = Object.keys(node.not ?? {}).length > 0 ? node.not : undefined;
  return [
    ...(node.allOf ?? []).map(describe),
    ...each("", node.anyOf, " or "),
    ...each("exactly one of ", node.oneOf, " or "),
    ...one("not", excluded),
    ...one("if", node.if),
    ...one("then", node.if && node.then),
    ...one("else", node.if && node.else),
    ...one(`has at least ${minContains}${most} of`, node.contains),
    ...(node.uniqueItems === true ? ["no two items equal"] : []),
    ...one("each name", node.propertyNames),
    ...map("names that match", node.patternProperties),
    ...Object.entries(node.dependentRequired ?? {}).map(
      ([name, others]) => `with ${code(name)} also ${others.map(code).join(", ")}`,
    ),
    ...map("with", node.dependentSchemas),
  ];
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
    ...limit(node.multipleOf, "multiple of"),
    ...limit(node.minProperties, "fields >="),
    ...limit(node.maxProperties, "fields <="),
    ...limit(node.minItems, "items >="),
    ...limit(node.maxItems, "items <="),
    ...limit(node.format, "format"),
    ...(node.pattern === undefined ? [] : [`matches \`${node.pattern}\``]),
  ];
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}
