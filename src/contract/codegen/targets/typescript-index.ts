import { OWN_NAME } from "../../../base/package.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { definitionOf } from "../../schemas/definitions.js";
import type { SourceSchema } from "../../schemas/load.js";
import type { SchemaNode } from "../../schemas/nodes.js";
import { flattenAllOf } from "../definitions.js";
import { ownGenerator, slashHeader } from "../file-header.js";
import type { CodegenInput, Target } from "../target.js";

export const typescriptIndex: Target = {
  id: "typescript-index",
  purpose:
    "the modules that gather the types, constants and validators: all, those of records, those of reports",
  async generate(input) {
    const header = slashHeader(ownGenerator(), input.schemas);
    const constants = [printEntryTypes(input), ...constantsOf(input).map(printConstant)];
    const types = input.schemas.map(({ name }) => `export type * from "./${name}.js";`);
    const index = 'export * from "./types.js";\nexport * from "./validators.js";';
    const [records, reports] = [printRecords(input), printReports(input)];
    return [
      { name: "types.js", parts: constants.map(({ code }) => code) },
      { name: "types.d.ts", parts: [...types, OPEN, ...constants.map(({ type }) => type)] },
      { name: "index.js", parts: [index] },
      { name: "index.d.ts", parts: [index] },
      { name: "records.js", parts: [records.code] },
      { name: "records.d.ts", parts: [records.type] },
      { name: "reports.js", parts: [reports.code] },
      { name: "reports.d.ts", parts: [reports.type] },
    ].map(({ name, parts }) => ({
      path: `generated/typescript/${name}`,
      text: [header, ...parts, ""].join("\n"),
    }));
  },
};

const OPEN = `
/** A record that may have fields which its schema does not declare. The format allows and keeps them. */
export type Open<T> = T & { readonly [field: string]: unknown };`;

/** Whether repositories exchange the records of a schema. Those of the others are this program's own. */
function isRecords({ registry }: CodegenInput, { id }: SourceSchema): boolean {
  const { producers = [] } = registry.schemas.find((each) => each.id === id) ?? {};
  return producers.some((name) => name !== OWN_NAME);
}

/** Exports what the schemas of records define, and what belongs to no schema. */
function printRecords(input: CodegenInput): Constant {
  const { code, type } = printPart(
    input,
    input.schemas.filter((schema) => isRecords(input, schema)),
  );
  const common = [printExports(["entryTypes"], "types"), printExports(GENERAL, "validators")];
  return {
    code: [code, ...common].join("\n"),
    type: [type, ...common, GENERAL_TYPES].join("\n"),
  };
}

/** Exports what the other schemas define. */
function printReports(input: CodegenInput): Constant {
  return printPart(
    input,
    input.schemas.filter((schema) => !isRecords(input, schema)),
  );
}

const GENERAL = ["findErrors", "isDefinitionName"];

const GENERAL_TYPES = `export type { EntryTypeName, Open } from "./types.js";
export type { DefinitionName, Definitions, ValidationError } from "./validators.js";`;

function printPart(input: CodegenInput, schemas: readonly SourceSchema[]): Constant {
  const isHeld = ({ schema }: { readonly schema: SourceSchema }): boolean =>
    schemas.includes(schema);
  const names = [...input.definitions.values()].filter(isHeld).map(({ name }) => name);
  const constants = constantsOf(input)
    .filter(isHeld)
    .map(({ name }) => name);
  const validators = [
    ...names.map((name) => `is${name}`),
    ...schemas.flatMap(({ entryTypes }) => entryTypes.map((name) => `${name}Schema`)),
  ];
  const code = [printExports(constants, "types"), printExports(validators, "validators")];
  const types = schemas.map(({ name }) => `export type * from "./${name}.js";`);
  return { code: code.join("\n"), type: [...types, ...code].join("\n") };
}

function printExports(names: readonly string[], module: string): string {
  const lines = names.toSorted().map((name) => `  ${name},\n`);
  return names.length === 0 ? "" : `export {\n${lines.join("")}} from "./${module}.js";`;
}

interface Constant {
  readonly code: string;
  readonly type: string;
}

function printEntryTypes({ registry, schemas, definitions }: CodegenInput): Constant {
  const named = registry.schemas.filter(({ inferred }) => inferred === false);
  const onlyByName = new Set(named.map(({ id }) => id));
  const entries = schemas.flatMap((schema) =>
    schema.entryTypes.map((name) => {
      const { required = [] } = flattenAllOf(definitionOf(name, definitions).node, definitions);
      return { name, schema: schema.id, inferred: !onlyByName.has(schema.id), required };
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
      "/** The entry types with their schema's `$id`, whether they are inferred from a record's shape, and their required fields. */",
      "export const entryTypes: readonly {",
      "  readonly name: EntryTypeName;",
      "  readonly schema: string;",
      "  readonly inferred: boolean;",
      "  readonly required: readonly string[];",
      "}[];",
    ].join("\n"),
  };
}

interface NamedConstant {
  readonly name: string;
  readonly schema: SourceSchema;
  readonly value: unknown;
  readonly description: string | undefined;
}

/** Every `const` in the schemas, named after its definition and property. */
function constantsOf({ definitions }: CodegenInput): NamedConstant[] {
  const constants = new Map<string, NamedConstant>();
  const add = (name: string, node: SchemaNode, schema: SourceSchema, place: string): void => {
    const constant = toConstant(name, node, schema);
    if (constant === undefined) return;
    if (constants.has(constant.name)) {
      throw new UserError(`${place} makes a second constant ${constant.name}`, EXIT.findings);
    }
    constants.set(constant.name, constant);
  };
  for (const { name, schema, node } of definitions.values()) {
    const place = `${schema.file} /$defs/${name}`;
    add(name, node, schema, place);
    for (const [property, child] of Object.entries(node.properties ?? {})) {
      add(`${name}_${property}`, child, schema, `${place}/properties/${property}`);
    }
  }
  return [...constants.values()];
}

function toConstant(
  name: string,
  node: SchemaNode,
  schema: SourceSchema,
): NamedConstant | undefined {
  if (node.const === undefined) return undefined;
  return {
    name: name
      .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
      .replace(/[^A-Za-z0-9]+/g, "_")
      .toUpperCase(),
    schema,
    value: node.const,
    description: node.description,
  };
}

function printConstant({ name, value, description }: NamedConstant): Constant {
  const literal = JSON.stringify(value);
  return {
    code: `\nexport const ${name} = ${literal};`,
    type: `\n/** ${(description ?? name).replaceAll("*/", "*\\/")} */\nexport const ${name}: ${literal};`,
  };
}
