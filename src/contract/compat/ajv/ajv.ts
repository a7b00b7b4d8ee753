import {
  _,
  Ajv2020,
  type ErrorObject,
  type KeywordCxt,
  type ValidateFunction,
} from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { ValidationError } from "#generated/index.js";
import { toPointerToken } from "../../../base/json/pointer.js";
import type { RecordValidator } from "../../../base/json/schema-error.js";
import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import { escapeControls } from "../../../base/text.js";
import {
  type FormatMode,
  HOLE,
  type SchemaLocation,
  type SchemaSet,
} from "../schema/schema-set.js";
import { matchesPattern } from "../solver/logic/patterns.js";
import { GivenUp } from "../solver/logic/solution.js";
import { ValueSet } from "../solver/logic/values.js";
import { originalOf, STEP, toAjvDocument } from "./ajv-dialect.js";

/** A keyword that a value violates. */
export interface BrokenKeyword extends ValidationError {
  /** The schema that has the keyword; undefined if it cannot be located. */
  readonly location: SchemaLocation | undefined;
}

/** Validates values against one schema. */
export interface AjvValidator extends RecordValidator {
  /** Undefined if Ajv has no verdict: the schema recurses without end, or two modes of Ajv disagree. */
  isValid(value: unknown): boolean | undefined;
  /** Why there is never a verdict: Ajv cannot compile the schema, although it may be legal. */
  readonly problem?: string;
  /** Errors of an invalid value, the innermost first. */
  errorsOf(value: unknown): readonly BrokenKeyword[];
}

/** Compiles a schema and all documents that it can refer to, with the `format` mode of its set. */
export function compileSchema(location: SchemaLocation): AjvValidator {
  try {
    return createValidator(location);
  } catch (error) {
    const { set } = location;
    const reason = set.rename(error instanceof Error ? error.message : String(error));
    const problem = `${set.describe(location)}: Ajv cannot compile it: ${escapeControls(reason)}`;
    return { isValid: () => undefined, errorsOf: () => [], problem };
  }
}

function createValidator(location: SchemaLocation): AjvValidator {
  const { set } = location;
  const terse = compile(location, "terse");
  const isForgetful = [...set.locations()].some(
    ({ schema }) => isJsonObject(schema) && requiresEmptyName(schema),
  );
  const hasty = isForgetful ? compile(location, "hasty") : terse;
  let verbose: ValidateFunction | undefined;
  return {
    isValid(value) {
      const verdict = verdictOf(terse, value);
      return hasty === terse || verdictOf(hasty, value) === verdict ? verdict : undefined;
    },
    errorsOf(value) {
      verbose ??= compile(location, "verbose");
      if (verdictOf(verbose, value) !== false) return [];
      const errors = (verbose.errors ?? []).map((error) => toBrokenKeyword(error, set));
      return errors.sort((one, other) => depthOf(other) - depthOf(one));
    },
  };
}

/** Limit on the references that are followed to validate one value. */
const MAX_REFERENCES = 100_000;

/** Of the validation that is running; validation is synchronous. */
const meter = { left: MAX_REFERENCES };

/** The verdict of a compiled schema; undefined if validation fails. */
export function verdictOf(
  validate: (value: unknown) => unknown,
  value: unknown,
): boolean | undefined {
  meter.left = MAX_REFERENCES;
  try {
    return validate(value) === true;
  } catch (error) {
    // Endless recursion, or faulty generated code, as for some conditions beside dependentSchemas.
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    // Patterns or references that take too long.
    if (error instanceof GivenUp) return undefined;
    throw error;
  }
}

/**
 * `verbose` reports error details and takes twice as long to compile as `terse`; `hasty` stops at the first error, as
 * Ajv does by default.
 */
type Detail = "terse" | "verbose" | "hasty";

/** If Ajv 8.20 stops at the first error, it ignores that a property with the empty name is required. */
export function requiresEmptyName({
  required,
  dependentRequired,
  dependencies,
}: JsonObject): boolean {
  const dependent = [dependentRequired, dependencies].filter(isJsonObject).flatMap(Object.values);
  return [required, ...dependent].some((names) => Array.isArray(names) && names.includes(""));
}

function compile(location: SchemaLocation, detail: Detail): ValidateFunction {
  const { set, uri, pointer } = location;
  const ajv = ajvOf(set, detail);
  const reference = pointer === "" ? uri : `${uri}#${encodeURI(pointer)}`;
  const validate = ajv.getSchema(reference) ?? ajv.compile({ $ref: reference });
  if ("$async" in validate) throw new Error("`$async` makes its verdict a promise");
  return validate;
}

interface Compiler {
  readonly ajv: Ajv2020;
  readonly known: Set<string>;
}

/** One compiler for each set; `known` are the documents that it has been given. */
const compilers: Readonly<Record<Detail, WeakMap<SchemaSet, Compiler>>> = {
  terse: new WeakMap(),
  verbose: new WeakMap(),
  hasty: new WeakMap(),
};

function ajvOf(set: SchemaSet, detail: Detail): Ajv2020 {
  const compiler = compilers[detail].get(set) ?? {
    ajv: createAjv(set.format, detail),
    known: new Set(),
  };
  compilers[detail].set(set, compiler);
  const { ajv, known } = compiler;
  for (const [id, schema] of set.documents()) {
    if (!known.has(id)) ajv.addSchema(toAjvDocument(schema, id), id);
    known.add(id);
  }
  return ajv;
}

/** Patterns whose matches are limited in steps. Ajv names them by their text. */
const boundedRegExp = Object.assign(
  (pattern: string) => ({
    test: (text: string) => matchesPattern(pattern, text),
    toString: () => `/${pattern}/u`,
  }),
  { code: "new RegExp" },
);

/** An Ajv for draft 2020-12. */
export function createAjv(format: FormatMode, detail: Detail): Ajv2020 {
  const isVerbose = detail === "verbose";
  const ajv = new Ajv2020({
    // Sequential checks, which V8 compiles faster than nested ones.
    allErrors: detail !== "hasty",
    logger: false,
    messages: isVerbose,
    // Otherwise every object has a "constructor".
    ownProperties: true,
    strict: false,
    validateFormats: format === "assert",
    // Documents that nothing refers to may be invalid.
    validateSchema: false,
    verbose: isVerbose,
    // Optimising takes longer than validating the few values.
    code: { optimize: false, regExp: boundedRegExp },
    // One function for each definition: V8 compiles only those that are called.
    inlineRefs: false,
  });
  if (format === "assert") addFormats.default(ajv);
  redefineValueKeywords(ajv);
  ajv.addKeyword({
    keyword: HOLE,
    errors: false,
    validate: () => {
      throw new GivenUp("nobody has the schema");
    },
  });
  ajv.addKeyword({
    keyword: STEP,
    errors: false,
    validate: () => {
      meter.left -= 1;
      if (meter.left < 0) throw new GivenUp("too many references to follow");
      return true;
    },
  });
  return ajv;
}

/** Ajv's own equality calls the properties `valueOf` and `toString` of a value as methods. */
function redefineValueKeywords(ajv: Ajv2020): void {
  const keywords = [
    ["const", "allowedValue", "must be equal to constant"],
    ["enum", "allowedValues", "must be equal to one of the allowed values"],
  ] as const;
  for (const [keyword, param, message] of keywords) {
    ajv.removeKeyword(keyword);
    ajv.addKeyword({
      keyword,
      ...(keyword === "enum" && { schemaType: "array" }),
      code: (cxt: KeywordCxt) => {
        const { gen, data, schema } = cxt;
        if (keyword === "const" && (typeof schema !== "object" || schema === null)) {
          cxt.fail(_`${schema} !== ${data}`);
          return;
        }
        const values = keyword === "enum" && Array.isArray(schema) ? schema : [schema];
        if (values.length === 0) throw new Error("enum must have non-empty array");
        const allowed = new ValueSet(values);
        const isAllowed = gen.scopeValue("func", { ref: (value: unknown) => allowed.has(value) });
        cxt.fail(_`!${isAllowed}(${data})`);
      },
      error: { message, params: ({ schemaCode }) => _`{${param}: ${schemaCode}}` },
    });
  }
}

function toBrokenKeyword(
  {
    keyword,
    instancePath,
    params,
    message = "",
    parentSchema,
    propertyName,
    schemaPath,
  }: ErrorObject,
  set: SchemaLocation["set"],
): BrokenKeyword {
  const named = propertyName === undefined ? "" : `/${toPointerToken(propertyName)}`;
  const location = isJsonObject(parentSchema) ? set.locate(originalOf(parentSchema)) : undefined;
  return { keyword, pointer: instancePath + named, params, message, schemaPath, location };
}

function depthOf({ pointer }: BrokenKeyword): number {
  return pointer.split("/").length;
}
