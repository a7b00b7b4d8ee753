import type { SourceSchema } from "../../schemas/definitions.js";
import { definitionOf, definitionsIn } from "../../schemas/definitions.js";
import { walkNodes } from "../../schemas/nodes.js";
import { isWire } from "../../schemas/registry-file.js";
import { refsOf } from "../definitions.js";
import { slashHeader } from "../file-header.js";
import type { CodegenInput, Target } from "../target.js";
import { GuardPrinter } from "../typescript/guards.js";
import { nodeName, printNode } from "../typescript/literals.js";
import { COPIES, copyRuntime } from "../typescript/runtime.js";

export const typescriptValidators: Target = {
  id: "typescript-validators",
  purpose: "validators as plain ECMAScript modules: type guards, and the faults of a value",
  async generate(input) {
    const header = slashHeader(input);
    const { code, modules } = printModule(input);
    return [
      { path: `${input.folder}/validators.js`, text: `${header}\n${code}` },
      { path: `${input.folder}/validators.d.ts`, text: `${header}\n${printTypes(input)}` },
      ...copyRuntime(modules, input.folder),
    ];
  },
};

/** The module, and the modules of the runtime that it imports. */
function printModule(input: CodegenInput): { readonly code: string; readonly modules: string[] } {
  const names = definitionNames(input);
  const standard = standardTypesOf(input);
  const used = reachableFrom(names, input);
  const printer = new GuardPrinter(input.definitions);
  const guards = used.flatMap((name) => [
    "",
    ...printer.print(definitionOf(name, input.definitions), names.includes(name)),
  ]);
  const formats = formatsOf(used, input).map(
    (format) => `  ${JSON.stringify(format)}: ${printer.printFormat(format)},`,
  );
  const imports = new Map<string, Iterable<string>>([
    ["faults", ["findFaults"]],
    ...printer.helpers,
    ...(standard.length > 0 ? [["standard", ["toStandardSchema"]] as const] : []),
  ]);
  const lines = [
    ...[...imports].map(
      ([module, some]) =>
        `import { ${[...some].sort().join(", ")} } from "./${COPIES}/${module}.js";`,
    ),
    "",
    ...printer.constants,
    ...guards,
    "",
    "/** The schemas as data, by which the faults of a value are found. */",
    ...used.map((name) => printDefinition(name, printer, input)),
    "",
    `const formats = {${formats.map((line) => `\n${line}`).join("")}${formats.length > 0 ? "\n" : ""}};`,
    "",
    `const definitions = {${names.map((name) => `\n  ${name}: ${nodeName(name)},`).join("")}\n};`,
    FIND_ERRORS,
    ...standard.map(
      (name) =>
        `export const ${name}Schema = /* @__PURE__ */ toStandardSchema(${nodeName(name)}, formats);`,
    ),
    "",
  ];
  return { code: lines.join("\n"), modules: [...imports.keys()] };
}

const FIND_ERRORS = `
export function isDefinitionName(name) {
  return Object.hasOwn(definitions, name);
}

export function findErrors(type, value) {
  if (!isDefinitionName(type)) throw new TypeError(\`no definition is called "\${type}"\`);
  return findFaults(definitions[type], value, formats);
}
`;

function printDefinition(
  name: string,
  printer: GuardPrinter,
  { definitions }: CodegenInput,
): string {
  const { node } = definitionOf(name, definitions);
  const recursive = printer.isRecursive(name) ? ", isRecursive: true" : "";
  return `const ${nodeName(name)} = { name: "${name}", is: is${name}${recursive}, node: ${printNode(node)} };`;
}

/** Those definitions and all that they refer to, in the order of the schemas. */
function reachableFrom(names: readonly string[], { definitions }: CodegenInput): string[] {
  const reached = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    waiting.push(...refsOf(definitionOf(name, definitions).node));
  }
  return [...definitions.keys()].filter((name) => reached.has(name));
}

/** The formats that some definitions assert. */
function formatsOf(names: readonly string[], { definitions }: CodegenInput): string[] {
  const nodes = names.flatMap((name) => [...walkNodes(definitionOf(name, definitions).node)]);
  return [...new Set(nodes.flatMap(({ node }) => node.format ?? []))];
}

function printTypes(input: CodegenInput): string {
  const imports = input.schemas.map(
    (schema) =>
      `import type { ${guardedTypesOf(schema, input).join(", ")} } from "./${schema.name}.js";`,
  );
  const names = definitionNames(input);
  return [
    ...imports,
    "",
    "/** Every named type of the schemas that has a guard, by its name. */",
    "export interface Definitions {",
    ...names.map((name) => `  ${name}: ${name};`),
    "}",
    "",
    "export type DefinitionName = keyof Definitions;",
    "",
    "/** Whether a definition of the schemas has this name. */",
    "export function isDefinitionName(name: string): name is DefinitionName;",
    "",
    "/** One failed keyword of JSON Schema. */",
    "export interface ValidationError {",
    '  /** JSON Pointer (RFC 6901) of the value that failed; "" is the record itself. */',
    "  readonly pointer: string;",
    "  /** Keyword of JSON Schema that failed, such as `required` or `pattern`. */",
    "  readonly keyword: string;",
    "  /** What is wrong, with a preview of the value: `must be >= 1, is 0`. */",
    "  readonly message: string;",
    "  /** What was demanded, whatever the record has instead; for `required`, the name of the property. */",
    "  readonly cause: string;",
    "}",
    "",
    "/**",
    " * All errors of `value` under the definition `type`; empty if it is valid. Inherited properties count,",
    " * although `JSON.stringify` writes only the own ones.",
    " * Throws TypeError if no definition has that name.",
    " */",
    "export function findErrors(type: DefinitionName, value: unknown): ValidationError[];",
    "",
    ...names.flatMap((name) => [
      `/** Whether \`value\` is a valid ${name}. */`,
      `export function is${name}(value: unknown): value is ${name};`,
    ]),
    ...(standardTypesOf(input).length > 0 ? [STANDARD_SCHEMA] : []),
    ...standardTypesOf(input).flatMap((name) => [
      `/** ${name} for libraries that take a Standard Schema, such as tRPC and Hono. */`,
      `export const ${name}Schema: StandardSchemaV1<${name}>;`,
    ]),
    "",
  ].join("\n");
}

const STANDARD_SCHEMA = `/** What every library knows that takes schemas of others: https://standardschema.dev, version 1. */
export interface StandardSchemaV1<T> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (
      value: unknown,
    ) =>
      | { readonly value: T; readonly issues?: undefined }
      | { readonly issues: readonly { readonly message: string; readonly path: readonly (string | number)[] }[] };
    readonly types?: { readonly input: T; readonly output: T } | undefined;
  };
}
`;

/** The types of a schema that have a guard: all of a wire schema, and the record types of another. */
export function guardedTypesOf(schema: SourceSchema, { definitions }: CodegenInput): string[] {
  return definitionsIn(schema, definitions)
    .map(({ name }) => name)
    .filter((name) => isWire(schema) || schema.entryTypes.includes(name));
}

function definitionNames(input: CodegenInput): string[] {
  return input.schemas.flatMap((schema) => guardedTypesOf(schema, input));
}

/** The record types that are given to other libraries. */
function standardTypesOf({ schemas }: CodegenInput): string[] {
  return schemas.filter(isWire).flatMap(({ entryTypes }) => entryTypes);
}
