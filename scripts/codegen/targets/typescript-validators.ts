import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import addFormats from "ajv-formats";
import { definitionsIn } from "../../../conformance/schemas/definitions.js";
import { REDACT } from "../../../src/schemas/keywords.js";
import { EXIT, UserError } from "../../../src/user-error.js";
import { bundleHelpers } from "../bundle-helpers.js";
import { type Generator, slashHeader } from "../file-header.js";
import type { CodegenInput, Target } from "../target.js";
import { readManifest } from "../target.js";

const AJV_OPTIONS = {
  strict: true,
  allowUnionTypes: true,
  allErrors: true,
  code: { source: true, esm: true, lines: true },
} as const;

const version = (name: string): string => readManifest(name).version;

const GENERATOR: Generator = {
  name: "ajv",
  version: `${version("ajv")} with ajv-formats ${version("ajv-formats")} and esbuild ${version("esbuild")}`,
  options: AJV_OPTIONS,
};

/** The bundled helpers belong to Ajv. */
const AJV_NOTICE =
  "// Holds run-time helpers of Ajv, Copyright (c) 2015-2021 Evgeny Poberezkin, under the MIT licence.\n";

export const typescriptValidators: Target = {
  id: "typescript-validators",
  purpose: "Ajv validators as plain ECMAScript modules, with type guards",
  async generate(input) {
    const header = slashHeader(GENERATOR, input.schemas);
    return [
      {
        path: "generated/typescript/validators.js",
        text: `${header}${AJV_NOTICE}\n${await bundleHelpers(printEntryPoint(input))}`,
      },
      { path: "generated/typescript/validators.d.ts", text: `${header}\n${printTypes(input)}` },
    ];
  },
};

/** Ajv's standalone code calls `require` for its helpers even in ESM mode, so it is bundled. */
function printEntryPoint(input: CodegenInput): string {
  const names = definitionNames(input);
  return [
    compileWithAjv(input),
    `const validators = { ${names.map((name) => `${JSON.stringify(name)}: validate${name}`)} };`,
    `const toValidationError = ({ instancePath, keyword, message, params, schemaPath }) =>
      ({ pointer: instancePath, keyword, message, params, schemaPath });`,
    "export function isDefinitionName(name) { return Object.hasOwn(validators, name); }",
    `export function findErrors(type, value) {
      if (!isDefinitionName(type)) throw new TypeError(\`no definition is called "\${type}"\`);
      const validate = validators[type];
      return validate(value) ? [] : validate.errors.map(toValidationError);
    }`,
    ...names.map((name) => `export function is${name}(value) { return validate${name}(value); }`),
  ].join("\n");
}

function compileWithAjv({ schemas, definitions }: CodegenInput): string {
  const ajv = new Ajv2020(AJV_OPTIONS);
  addFormats.default(ajv);
  ajv.addVocabulary([REDACT]);
  for (const schema of schemas) ajv.addSchema(schema.document);
  const refs = [...definitions.values()].map(({ name, schema }) => [
    `validate${name}`,
    `${schema.id}#/$defs/${name}`,
  ]);
  try {
    return appendErrors(standalone.default(ajv, Object.fromEntries(refs)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new UserError(`the schemas do not compile: ${reason}`, EXIT.findings);
  }
}

/**
 * Ajv collects the errors of an array's items with `concat`, which copies all of them for each item: a record
 * with a million invalid items would take hours. Appending in place takes a second.
 */
function appendErrors(code: string): string {
  const appended = code.replace(
    /(\w+) === null \? (\w+\.errors) : \1\.concat\(\2\)/g,
    "appendErrors($1, $2)",
  );
  if (appended.includes(".concat("))
    throw new Error("this version of Ajv gathers errors otherwise");
  return `${appended}
function appendErrors(errors, more) {
  if (errors === null) return more;
  for (const error of more) errors.push(error);
  return errors;
}`;
}

function printTypes(input: CodegenInput): string {
  const imports = input.schemas.map(
    (schema) =>
      `import type { ${definitionsIn(schema, input.definitions)
        .map(({ name }) => name)
        .join(", ")} } from "./${schema.name}.js";`,
  );
  const names = definitionNames(input);
  return [
    ...imports,
    "",
    "/** Every named type of the schemas. */",
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
    "  readonly message: string;",
    "  /** Parameters of the keyword as named by Ajv, such as `{ limit: 1 }`. */",
    "  readonly params: Readonly<Record<string, unknown>>;",
    "  /** Location of the keyword in the schema. */",
    "  readonly schemaPath: string;",
    "}",
    "",
    "/**",
    " * All errors of `value` under the definition `type`; empty if it is valid.",
    " * Throws TypeError if no definition has that name.",
    " */",
    "export function findErrors(type: DefinitionName, value: unknown): ValidationError[];",
    "",
    ...names.flatMap((name) => [
      `/** Whether \`value\` is a valid ${name}. */`,
      `export function is${name}(value: unknown): value is ${name};`,
    ]),
    "",
  ].join("\n");
}

function definitionNames({ definitions }: CodegenInput): string[] {
  return [...definitions.keys()];
}
