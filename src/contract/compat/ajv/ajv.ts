import {
  _,
  Ajv2020,
  type ErrorObject,
  type KeywordCxt,
  type ValidateFunction,
} from "ajv/dist/2020.js";
import type { SchemaValidateFunction } from "ajv/dist/types/index.js";
import addFormats from "ajv-formats";
import type { FormatUse, ValidationError } from "#generated/index.js";
import { toPointerToken } from "../../../base/json/pointer.js";
import { explainAjvError, type RecordValidator } from "../../../base/json/schema-error.js";
import { isJsonObject } from "../../../base/json/value.js";
import { memoize } from "../../../base/memoize.js";
import { escapeControls } from "../../../base/text.js";
import { UserError } from "../../../base/user-error.js";
import { findUnevaluated } from "../evaluator/evaluate.js";
import { HOLE, type SchemaLocation, type SchemaSet, WRITTEN_WHOLE } from "../schema/schema-set.js";
import { matchesPattern } from "../solver/logic/patterns.js";
import { GivenUp } from "../solver/logic/solution.js";
import { isMultiple, ValueSet } from "../solver/logic/values.js";
import { originalOf, STEP, toNormalForm } from "./normal-form.js";
import { isWrittenWhole, recordNumbers } from "./written-numbers.js";

/** A keyword that a value violates. */
export interface BrokenKeyword extends ValidationError {
  /** The schema that has the keyword; undefined if it cannot be located. */
  readonly location: SchemaLocation | undefined;
}

/** Validates values against one schema. */
export interface AjvValidator extends RecordValidator {
  /**
   * Undefined if Ajv has no verdict: the schema recurses without end, or the value meets a hole of it. `text`: how the value is
   * written, on which the integers of draft-04 depend.
   */
  isValid(value: unknown, text?: string): boolean | undefined;
  /** Why there is never a verdict: Ajv cannot compile the schema, although it may be legal. */
  readonly problem?: string;
  /** Errors of an invalid value, the innermost first. */
  errorsOf(value: unknown): readonly BrokenKeyword[];
}

/** Compiles a schema, once, and all that it refers to, with the `format` mode of its set. */
export const validatorOf = memoize((location: SchemaLocation): AjvValidator => {
  try {
    return createValidator(location);
  } catch (error) {
    const { set } = location;
    const reason = error instanceof Error ? error.message : String(error);
    const problem = `${set.describe(location)}: Ajv cannot compile it: ${escapeControls(reason)}`;
    return { isValid: () => undefined, errorsOf: () => [], problem };
  }
});

/** The same, but throws UserError (exit 3) if Ajv cannot compile the schema. */
export function requireValidator(location: SchemaLocation): AjvValidator {
  const validator = validatorOf(location);
  if (validator.problem !== undefined) throw new UserError(validator.problem);
  return validator;
}

function createValidator(location: SchemaLocation): AjvValidator {
  const terse = compilerOf.terse(location.set).compile(location);
  let verbose: ValidateFunction | undefined;
  /** Whether it depends on how numbers are written. */
  let asks: boolean | undefined;
  return {
    isValid(value, text) {
      if (text !== undefined) {
        asks ??= [...location.set.locations()].some(
          ({ schema }) => WRITTEN_WHOLE in Object(schema),
        );
        if (asks) recordNumbers(text, value);
      }
      return verdictOf(terse, value);
    },
    errorsOf(value) {
      verbose ??= compilerOf.verbose(location.set).compile(location);
      if (verdictOf(verbose, value) !== false) return [];
      const errors = (verbose.errors ?? []).map(toBrokenKeyword);
      return errors.sort((one, other) => depthOf(other) - depthOf(one));
    },
  };
}

/** Limit on the references that are followed to validate one value. */
const MAX_REFERENCES = 100_000;

/** Of the validation that is running; validation is synchronous. */
const meter = { left: MAX_REFERENCES };

/** The verdict of a compiled schema; undefined if validation fails. */
function verdictOf(validate: ValidateFunction, value: unknown): boolean | undefined {
  meter.left = MAX_REFERENCES;
  try {
    return validate(value);
  } catch (error) {
    // Endless recursion, patterns or references that take too long, and holes.
    if (error instanceof RangeError || error instanceof GivenUp) return undefined;
    throw error;
  }
}

/** `verbose` reports error details and takes twice as long to compile as `terse`. */
type Detail = "terse" | "verbose";

/** Compiles the schemas of one set. Each that something refers to is a document, named by its number. */
class Compiler {
  readonly #ajv: Ajv2020;
  readonly #names = new Map<object, string>();

  constructor(format: FormatUse, detail: Detail) {
    this.#ajv = createAjv(format, detail);
  }

  compile(location: SchemaLocation): ValidateFunction {
    const waiting: SchemaLocation[] = [];
    const refer = (target: SchemaLocation): string => {
      const { schema } = target;
      if (typeof schema === "boolean") return schema ? "schema:true" : "schema:false";
      const known = this.#names.get(schema);
      if (known !== undefined) return known;
      const name = `schema:${this.#names.size}`;
      this.#names.set(schema, name);
      waiting.push(target);
      return name;
    };
    const name = refer(location);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      this.#ajv.addSchema(toNormalForm(next, refer), this.#names.get(Object(next.schema)));
    }
    return this.#ajv.getSchema(name) ?? this.#ajv.compile(location.schema);
  }
}

const compilerOf = {
  terse: memoize((set: SchemaSet) => new Compiler(set.format, "terse")),
  verbose: memoize((set: SchemaSet) => new Compiler(set.format, "verbose")),
};

/** Patterns whose matches are limited in steps. Ajv names them by their text. */
const boundedRegExp = Object.assign(
  (pattern: string) => ({
    test: (text: string) => matchesPattern(pattern, text),
    toString: () => `/${pattern}/u`,
  }),
  { code: "new RegExp" },
);

/** An Ajv for draft 2020-12, with keywords of our own for those that it judges differently from the draft. */
function createAjv(format: FormatUse, detail: Detail): Ajv2020 {
  const isVerbose = detail === "verbose";
  const ajv = new Ajv2020({
    // Sequential checks, which V8 compiles faster than nested ones.
    allErrors: true,
    logger: false,
    messages: isVerbose,
    // Otherwise every object has a "constructor".
    ownProperties: true,
    strict: false,
    validateFormats: format === "assert",
    validateSchema: false,
    verbose: isVerbose,
    // Optimising takes longer than validating the few values.
    code: { optimize: false, regExp: boundedRegExp },
    // One function for each definition: V8 compiles only those that are called.
    inlineRefs: false,
  });
  if (format === "assert") addFormats.default(ajv);
  ajv.addSchema(true, "schema:true").addSchema(false, "schema:false");
  redefineValueKeywords(ajv);
  redefineMultiples(ajv);
  redefineUnevaluated(ajv, "unevaluatedProperties", "object");
  redefineUnevaluated(ajv, "unevaluatedItems", "array");
  addWrittenWhole(ajv);
  addCheck(ajv, HOLE, () => {
    throw new GivenUp("a part of the schema cannot be read");
  });
  addCheck(ajv, STEP, () => {
    meter.left -= 1;
    if (meter.left < 0) throw new GivenUp("too many references to follow");
    return true;
  });
  return ajv;
}

function addWrittenWhole(ajv: Ajv2020): void {
  const validate: SchemaValidateFunction = (_schema, _value, _parentSchema, context) => {
    const { parentData, parentDataProperty = "", instancePath = "" } = context ?? {};
    const container = instancePath === "" ? undefined : parentData;
    if (isWrittenWhole(container, parentDataProperty)) return true;
    const message = "must be an integer, written without a fraction and an exponent";
    validate.errors = [{ keyword: WRITTEN_WHOLE, instancePath, params: {}, message }];
    return false;
  };
  ajv.addKeyword({ keyword: WRITTEN_WHOLE, type: "number", errors: true, validate });
}

function addCheck(ajv: Ajv2020, keyword: string, validate: () => boolean): void {
  ajv.addKeyword({ keyword, errors: false, validate });
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
        const allowed = new ValueSet(
          keyword === "enum" && Array.isArray(schema) ? schema : [schema],
        );
        const isAllowed = gen.scopeValue("func", { ref: (value: unknown) => allowed.has(value) });
        cxt.fail(_`!${isAllowed}(${data})`);
      },
      error: { message, params: ({ schemaCode }) => _`{${param}: ${schemaCode}}` },
    });
  }
}

/** Ajv divides doubles: 19.99 would be no multiple of 0.01. */
export function redefineMultiples(ajv: Ajv2020): void {
  ajv.removeKeyword("multipleOf");
  ajv.addKeyword({
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    code: (cxt: KeywordCxt) => {
      const test = cxt.gen.scopeValue("func", { ref: isMultiple });
      cxt.fail(_`!${test}(${cxt.data}, ${cxt.schema})`);
    },
    error: {
      message: ({ schema }) => `must be a multiple of ${schema}`,
      params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}`,
    },
  });
}

/** Ajv 8.20 counts what failed schemas evaluated, and forgets what some valid ones did. */
function redefineUnevaluated(
  ajv: Ajv2020,
  keyword: "unevaluatedProperties" | "unevaluatedItems",
  type: "object" | "array",
): void {
  const param = keyword === "unevaluatedItems" ? "unevaluatedItem" : "unevaluatedProperty";
  const validate: SchemaValidateFunction = (_schema, value, parentSchema, context) => {
    const location = parentSchema && originalOf(parentSchema);
    const keys = location && findUnevaluated(location, value, keyword);
    if (keys === undefined) throw new GivenUp("what is unevaluated takes too long to find");
    validate.errors = keys.map((key) => ({
      keyword,
      instancePath: context?.instancePath ?? "",
      params: { [param]: key },
      message: "must not be unevaluated",
    }));
    return keys.length === 0;
  };
  ajv.removeKeyword(keyword);
  ajv.addKeyword({ keyword, type, errors: true, validate });
}

function toBrokenKeyword(error: ErrorObject): BrokenKeyword {
  const { keyword, instancePath, parentSchema, propertyName } = error;
  const named = propertyName === undefined ? "" : `/${toPointerToken(propertyName)}`;
  const location = isJsonObject(parentSchema) ? originalOf(parentSchema) : undefined;
  return { keyword, pointer: instancePath + named, ...explainAjvError(error), location };
}

function depthOf({ pointer }: BrokenKeyword): number {
  return pointer.split("/").length;
}
