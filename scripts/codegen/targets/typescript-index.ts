import { ownGenerator, slashHeader } from "../file-header.js";
import { flattenAllOf } from "../flatten-all-of.js";
import type { SchemaNode } from "../schema-node.js";
import type { CodegenInput, Target } from "../target.js";

export const typescriptIndex: Target = {
  id: "typescript-index",
  purpose: "the module that gathers types, validators, entry types and constants",
  async generate(input) {
    const header = slashHeader(ownGenerator(), input.schemas);
    const constants = [printEntryTypes(input), ...constantsOf(input).map(printConstant)];
    const types = input.schemas.map(({ name }) => `export type * from "./${name}.js";`);
    return [
      {
        path: "generated/typescript/index.js",
        text: [
          header,
          'export * from "./validators.js";',
          ...constants.map((c) => c.code),
          "",
        ].join("\n"),
      },
      {
        path: "generated/typescript/index.d.ts",
        text: [
          header,
          ...types,
          'export * from "./validators.js";',
          ...constants.map((c) => c.type),
          "",
        ].join("\n"),
      },
    ];
  },
};

interface Constant {
  readonly code: string;
  readonly type: string;
}

function printEntryTypes({ schemas, resolveRef }: CodegenInput): Constant {
  const entries = schemas.flatMap((schema) =>
    schema.entryTypes.map((name) => {
      const node = schema.definitions.get(name);
      const required = node && flattenAllOf(node, schema, resolveRef).required;
      return { name, schema: schema.id, required: required ?? [] };
    }),
  );
  const names = entries.map(({ name }) => JSON.stringify(name)).join(" | ");
  const lines = entries.map((entry) => `  ${JSON.stringify(entry)},`);
  return {
    code: ["", "export const entryTypes = [", ...lines, "];"].join("\n"),
    type: [
      "",
      "/** Record types that a JSONL line can have: the members of the schemas' root `anyOf`. */",
      `export type EntryTypeName = ${names};`,
      "",
      "/** The entry types with their schema's `$id` and their required fields. */",
      "export const entryTypes: readonly {",
      "  readonly name: EntryTypeName;",
      "  readonly schema: string;",
      "  readonly required: readonly string[];",
      "}[];",
    ].join("\n"),
  };
}

interface NamedConstant {
  readonly name: string;
  readonly value: unknown;
  readonly description: string | undefined;
}

/** Every `const` of the schemas, named after its definition and property. */
function constantsOf({ schemas }: CodegenInput): NamedConstant[] {
  return schemas
    .flatMap((schema) => [...schema.definitions])
    .flatMap(([name, node]) => [
      toConstant(name, node),
      ...Object.entries(node.properties ?? {}).map(([property, child]) =>
        toConstant(`${name}_${property}`, child),
      ),
    ])
    .filter((constant) => constant !== undefined);
}

function toConstant(name: string, node: SchemaNode): NamedConstant | undefined {
  if (node.const === undefined) return undefined;
  return {
    name: name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase(),
    value: node.const,
    description: node.description,
  };
}

function printConstant({ name, value, description }: NamedConstant): Constant {
  const literal = JSON.stringify(value);
  return {
    code: `\nexport const ${name} = ${literal};`,
    type: `\n/** ${description ?? name} */\nexport const ${name}: ${literal};`,
  };
}
