import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import addFormats from "ajv-formats";
import { EXIT, UserError } from "../../../base/user-error.js";
import { definitionsIn } from "../../schemas/definitions.js";
import { isAnnotation } from "../../schemas/keywords.js";
import type { SourceSchema } from "../../schemas/load.js";
import type { SchemaNode } from "../../schemas/nodes.js";
import { isWire } from "../../schemas/registry-file.js";
import { bundleHelpers } from "../bundle-helpers.js";
import { leavesFirst, walkDefinitions } from "../definitions.js";
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
        path: `${input.folder}/validators.js`,
        text: `${header}${AJV_NOTICE}\n${await bundleHelpers(printEntryPoint(input))}`,
      },
      { path: `${input.folder}/validators.d.ts`, text: `${header}\n${printTypes(input)}` },
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
      return validate(value) ? [] : errorsOf(validate).map(toValidationError);
    }`,
    ERRORS_OF,
    ...names.map((name) => `export function is${name}(value) { return validate${name}(value); }`),
    STANDARD_SCHEMA,
    ...standardTypesOf(input).map(
      (name) => `export const ${name}Schema = /* @__PURE__ */ toStandardSchema(validate${name});`,
    ),
  ].join("\n");
}

/** Both parts of an `allOf` may demand the same type of the same value, which is one fault. */
const ERRORS_OF = `
function errorsOf({ errors }) {
  const said = new Set();
  return errors.filter(({ instancePath, keyword, message }) => {
    const fault = JSON.stringify([instancePath, keyword, message]);
    const isNew = !said.has(fault);
    said.add(fault);
    return isNew;
  });
}`;

/** https://standardschema.dev, version 1. */
const STANDARD_SCHEMA = `
function toStandardSchema(validate) {
  const check = (value) =>
    validate(value)
      ? { value }
      : { issues: errorsOf(validate).map((error) => toIssue(error, value)) };
  return { "~standard": { version: 1, vendor: "rollout-wire", validate: check } };
}
function toIssue({ instancePath, params, message }, root) {
  let value = root;
  const path = instancePath.split("/").slice(1).map((token) => {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    const key = Array.isArray(value) ? Number(name) : name;
    value = value[key];
    return key;
  });
  const { missingProperty } = params;
  return { message, path: missingProperty === undefined ? path : [...path, missingProperty] };
}`;

function compileWithAjv(input: CodegenInput): string {
  const { schemas, definitions } = input;
  const ajv = new Ajv2020(AJV_OPTIONS);
  addFormats.default(ajv);
  for (const { document } of schemas) ajv.addSchema(toAssertions(document));
  const refs = new Map(
    [...definitions.values()].map(({ name, schema }) => [name, `${schema.id}#/$defs/${name}`]),
  );
  try {
    // In another order Ajv compiles most of them twice: as a part of what refers to them, and by themselves.
    for (const { name } of leavesFirst(definitions)) ajv.getSchema(refs.get(name) ?? "");
    const exports = Object.fromEntries(
      definitionNames(input).map((name) => [`validate${name}`, refs.get(name) ?? ""]),
    );
    return markPure(collectErrors(omitEvaluated(standalone.default(ajv, exports))));
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new UserError(`the schemas do not compile: ${reason}`, EXIT.findings);
  }
}

/** The definitions of a schema document, without annotations: validators would embed them. */
function toAssertions({ $schema, $id, $defs }: SchemaNode): SchemaNode {
  const document = structuredClone({ $schema, $id, $defs });
  for (const { node } of walkDefinitions(document)) {
    for (const keyword of Object.keys(node)) {
      if (isAnnotation(keyword)) Reflect.deleteProperty(node, keyword);
    }
  }
  return document;
}

/**
 * Removes what Ajv notes about evaluated properties for schemas that refer to others dynamically, which none does. A
 * bundler would have to keep the notes of every validator, and with them every validator.
 */
function omitEvaluated(code: string): string {
  const omitted = code
    .replace(/^\w+\.evaluated = \{.*"dynamicProps":false,"dynamicItems":false\};?$/gm, "")
    .replace(
      /^const evaluated0 = \w+\.evaluated;\nif\(evaluated0\.dynamicProps\)\{\nevaluated0\.props = undefined;\n\}\nif\(evaluated0\.dynamicItems\)\{\nevaluated0\.items = undefined;\n\}\n/gm,
      "",
    );
  if (omitted.includes("evaluated0") || omitted.includes(".evaluated"))
    throw new Error("this version of Ajv notes evaluated properties otherwise");
  return omitted;
}

/** Marks calls without side effects, so that a bundler omits those that nobody uses. */
function markPure(code: string): string {
  return code
    .replace(/= (new RegExp\()/g, "= /* @__PURE__ */ $1")
    .replace(/= (require\(.*?\)\.default);/g, "= /* @__PURE__ */ (() => $1)();");
}

/** How Ajv adds an error: the path of the value, that of the keyword, the keyword, its parameters and the message. */
const ADDED_ERROR = new RegExp(
  [
    String.raw`const (err\d+) = \{instancePath(?::(.*?))?,schemaPath:(".*?"),keyword:(".*?"),params:(.*?),message:(.*)\};`,
    String.raw`if\(vErrors === null\)\{`,
    String.raw`vErrors = \[\1\];`,
    String.raw`\}`,
    String.raw`else \{`,
    String.raw`vErrors\.push\(\1\);`,
    String.raw`\}`,
  ].join("\n"),
  "g",
);

/**
 * Collects errors by two functions. Ajv repeats the first for each error, which is half of its code. It has `concat`
 * in place of the second, which copies all errors for each item of an array: a record with a million invalid items would
 * take hours.
 */
function collectErrors(code: string): string {
  const collected = code
    .replace(
      ADDED_ERROR,
      (_, __, path = "instancePath", schemaPath, keyword, params, message) =>
        `vErrors = addError(vErrors, ${path}, ${schemaPath}, ${keyword}, ${params}, ${message});`,
    )
    .replace(/(\w+) === null \? (\w+\.errors) : \1\.concat\(\2\)/g, "addErrors($1, $2)");
  if (/\.concat\(|\.push\(/.test(collected))
    throw new Error("this version of Ajv collects errors otherwise");
  return `${collected}
function addError(errors, instancePath, schemaPath, keyword, params, message) {
  const error = { instancePath, schemaPath, keyword, params, message };
  return errors === null ? [error] : addErrors(errors, [error]);
}
function addErrors(errors, more) {
  if (errors === null) return more;
  for (const error of more) errors.push(error);
  return errors;
}`;
}

function printTypes(input: CodegenInput): string {
  const imports = input.schemas.map(
    (schema) =>
      `import type { ${guardedTypesOf(schema, input).join(", ")} } from "./${schema.name}.js";`,
  );
  const names = definitionNames(input);
  return [
    'import type { StandardSchemaV1 } from "@standard-schema/spec";',
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
    "  readonly message: string;",
    "  /** Parameters of the keyword as named by Ajv, such as `{ limit: 1 }`. */",
    "  readonly params: Readonly<Record<string, unknown>>;",
    "  /** Location of the keyword in the schema. */",
    "  readonly schemaPath: string;",
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
    ...standardTypesOf(input).flatMap((name) => [
      `/** ${name} for libraries that take a Standard Schema, such as tRPC and Hono. */`,
      `export const ${name}Schema: StandardSchemaV1<${name}>;`,
    ]),
    "",
  ].join("\n");
}

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
