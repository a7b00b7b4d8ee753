import { compile, type JSONSchema } from "json-schema-to-typescript";
import type { SourceSchema } from "../../schemas/definitions.js";
import { definitionOf, definitionsIn } from "../../schemas/definitions.js";
import { isAnnotation } from "../../schemas/keywords.js";
import type { SchemaNode } from "../../schemas/nodes.js";
import { mapSubschemas } from "../../schemas/nodes.js";
import { flattenAllOf } from "../definitions.js";
import { slashHeader } from "../file-header.js";
import type { CodegenInput, GeneratedFile, Target } from "../target.js";
import { readManifest } from "../target.js";
import { layOutTypes } from "../typescript/layout.js";

const PRINTER = "json-schema-to-typescript";

const OPTIONS = {
  bannerComment: "",
  additionalProperties: false,
  ignoreMinAndMaxItems: true,
  format: false,
} as const;

export const typescriptTypes: Target = {
  id: "typescript-types",
  purpose: "one exported TypeScript type per definition of a schema",
  async generate(input) {
    return await Promise.all(input.schemas.map((schema) => printModule(schema, input)));
  },
};

async function printModule(schema: SourceSchema, input: CodegenInput): Promise<GeneratedFile> {
  const imports = new Map<string, Set<string>>();
  const declarations: string[] = [];
  for (const { name, node } of definitionsIn(schema, input.definitions)) {
    const flat = flattenAllOf(node, input.definitions);
    const named = nameRefs(flat, schema, input, imports);
    declarations.push(toTypes(layOutTypes(await compile(toPrintable(named), name, OPTIONS))));
  }
  const generator = {
    name: PRINTER,
    version: readManifest(PRINTER).version,
    options: OPTIONS,
  };
  return {
    path: `${input.folder}/${schema.name}.d.ts`,
    text: [slashHeader(generator, [schema]), printImports(imports), ...declarations].join("\n"),
  };
}

/**
 * Replaces each `$ref` by the name of its type, so that every definition is printed once and under its own
 * name. (If dereferenced, a `$ref` with a description would become a second, numbered type.)
 */
function nameRefs(
  node: SchemaNode,
  schema: SourceSchema,
  input: CodegenInput,
  imports: Map<string, Set<string>>,
): SchemaNode {
  if (node.$ref !== undefined) {
    const target = definitionOf(node.$ref, input.definitions);
    if (target.schema !== schema) {
      const names = imports.get(target.schema.name) ?? new Set();
      imports.set(target.schema.name, names.add(target.name));
    }
    return typeNamed(node, target.name);
  }
  // The printer reads a node without keywords as an object, but it means any value.
  if (Object.keys(node).every(isAnnotation)) {
    return typeNamed(node, "unknown");
  }
  const { title: _, ...untitled } = node; // a title would become a separate type
  const named = mapSubschemas(untitled, (each) => nameRefs(each, schema, input, imports));
  // An object of which no field is known may have any. `Open` adds unknown fields to other types.
  return isUnknownObject(named) ? { additionalProperties: true, ...named } : named;
}

/** Makes types of interfaces: only a type is assignable to `Record<string, unknown>`, and so to `Open`. */
function toTypes(code: string): string {
  return code
    .replace(/^export interface (\w+) \{$/gm, "export type $1 = {")
    .replace(/^\}$/gm, "};");
}

function isUnknownObject({ type, properties }: SchemaNode): boolean {
  return (
    properties === undefined &&
    (type === "object" || (Array.isArray(type) && type.includes("object")))
  );
}

/** A copy, because the printer modifies its input. */
function toPrintable(node: SchemaNode): JSONSchema {
  return JSON.parse(JSON.stringify(node));
}

function typeNamed({ description }: SchemaNode, tsType: string): SchemaNode {
  return description === undefined ? { tsType } : { description, tsType };
}

function printImports(imports: ReadonlyMap<string, ReadonlySet<string>>): string {
  return [...imports]
    .map(([module, names]) => `import type { ${[...names].join(", ")} } from "./${module}.js";\n`)
    .join("");
}
