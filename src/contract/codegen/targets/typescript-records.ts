import { EXIT, UserError } from "../../../base/user-error.js";
import type { SourceSchema } from "../../schemas/definitions.js";
import { definitionOf } from "../../schemas/definitions.js";
import type { SchemaNode } from "../../schemas/nodes.js";
import { isWire } from "../../schemas/registry-file.js";
import { flattenAllOf } from "../definitions.js";
import { slashHeader } from "../file-header.js";
import type { CodegenInput, Target } from "../target.js";
import { guardedTypesOf } from "./typescript-validators.js";

export const typescriptRecords: Target = {
  id: "typescript-records",
  purpose: "the modules of records: entry types, constants, and what a package offers of each tier",
  async generate(input) {
    const header = slashHeader(input);
    const constants = [printEntryTypes(input), ...constantsOf(input).map(printConstant)];
    const types = input.schemas.map(toTypeExport);
    const tools = input.schemas.filter((schema) => !isWire(schema));
    const recordTypes = printTypes(input);
    const [records, validators] = [printRecords(input), printRecordValidators(input)];
    return [
      { name: "types.js", parts: constants.map(({ code }) => code) },
      { name: "types.d.ts", parts: [...types, OPEN, ...constants.map(({ type }) => type)] },
      { name: "record-types.js", parts: [recordTypes.code] },
      { name: "record-types.d.ts", parts: [recordTypes.type] },
      { name: "records.js", parts: [records.code] },
      { name: "records.d.ts", parts: [records.type] },
      { name: "record-validators.js", parts: [validators] },
      { name: "record-validators.d.ts", parts: [validators] },
      { name: "reports.js", parts: ["export {};"] },
      { name: "reports.d.ts", parts: ["export {};", ...tools.map(toTypeExport)] },
    ].map(({ name, parts }) => ({
      path: `${input.folder}/${name}`,
      text: [header, ...parts, ""].join("\n"),
    }));
  },
};

const OPEN = `
/** A record that may have fields which its schema does not declare. The format allows and keeps them. */
export type Open<T> = T & { readonly [field: string]: unknown };`;

/** Exports the types and constants of wire schemas, and what belongs to no schema. */
function printTypes(input: CodegenInput): Constant {
  const wire = input.schemas.filter(isWire);
  const constants = constantsOf(input).filter(({ schema }) => wire.includes(schema));
  const code = printExports([...constants.map(({ name }) => name), "entryTypes"], "types");
  return { code, type: [...typesOf(input), code].join("\n") };
}

/** Exports the types of wire schemas, and those that belong to no schema. */
function typesOf({ schemas }: CodegenInput): string[] {
  const types = 'export type { EntryTypeName, Open } from "./types.js";';
  return [...schemas.filter(isWire).map(toTypeExport), types];
}

/** Exports the types of wire schemas, the guards of their record types, and what belongs to no schema. */
function printRecords(input: CodegenInput): Constant {
  const names = input.schemas.filter(isWire).flatMap(({ entryTypes }) => entryTypes);
  const code = printExports([...names.map((name) => `is${name}`), ...GENERAL], "validators");
  return { code, type: [...typesOf(input), code, GENERAL_TYPES].join("\n") };
}

const GENERAL = ["findErrors", "isDefinitionName"];

const GENERAL_TYPES =
  'export type { DefinitionName, Definitions, ValidationError } from "./validators.js";';

/** Exports the other validators of wire schemas: Standard Schemas of the record types, and guards of their parts. */
function printRecordValidators(input: CodegenInput): string {
  const names = input.schemas.filter(isWire).flatMap((schema) => [
    ...schema.entryTypes.map((name) => `${name}Schema`),
    ...guardedTypesOf(schema, input)
      .filter((name) => !schema.entryTypes.includes(name))
      .map((name) => `is${name}`),
  ]);
  return printExports(names, "validators");
}

function toTypeExport({ name }: SourceSchema): string {
  return `export type * from "./${name}.js";`;
}

function printExports(names: readonly string[], module: string): string {
  const lines = names.toSorted().map((name) => `  ${name},\n`);
  return names.length === 0 ? "export {};" : `export {\n${lines.join("")}} from "./${module}.js";`;
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
      const inferred = !onlyByName.has(schema.id);
      return { name, schema: schema.id, tier: schema.tier, inferred, required };
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
      "/** The entry types with their schema's `$id` and tier, whether they are inferred from a record's shape, and their required fields. */",
      "export const entryTypes: readonly {",
      "  readonly name: EntryTypeName;",
      "  readonly schema: string;",
      '  readonly tier: "wire" | "tool";',
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
