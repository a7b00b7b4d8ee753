import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { ValidationError } from "#generated/index.js";
import { toPointerToken } from "../json/pointer.js";
import { isJsonObject, type JsonObject } from "../json/value.js";
import { escapeControls } from "../text.js";
import {
  childOf,
  type FormatMode,
  type Schema,
  type SchemaLocation,
  type SchemaSet,
  subschemas,
} from "./schema-set.js";

/** A keyword that a value breaks. */
export interface BrokenKeyword extends ValidationError {
  /** The schema that it stands in; undefined for one that cannot be found again. */
  readonly location: SchemaLocation | undefined;
}

/** What Ajv says of values under one schema. */
export interface Judge {
  /** Undefined where it cannot say, as for a schema that refers to itself without end, or says one and the other. */
  isValid(value: unknown): boolean | undefined;
  /** Why it can say nothing at all: Ajv cannot compile the schema, legal as it may be. */
  readonly problem?: string;
  /** What is wrong with a value; the innermost places first. */
  errorsOf(value: unknown): readonly BrokenKeyword[];
}

/** Compiles a schema, with all documents that it can refer to; `format` is what its set says. */
export function compileSchema(location: SchemaLocation): Judge {
  try {
    return createJudge(location);
  } catch (error) {
    const { set } = location;
    const reason = set.rename(error instanceof Error ? error.message : String(error));
    const problem = `${set.describe(location)}: Ajv cannot compile it: ${escapeControls(reason)}`;
    return { isValid: () => undefined, errorsOf: () => [], problem };
  }
}

function createJudge(location: SchemaLocation): Judge {
  const { set } = location;
  const terse = compile(location, "terse");
  const isForgetful = [...set.locations()].some(
    ({ schema }) => isJsonObject(schema) && requiresEmptyName(schema),
  );
  const hasty = isForgetful ? compile(location, "hasty") : terse;
  let verbose: ValidateFunction | undefined;
  return {
    isValid(value) {
      const verdict = judge(terse, value);
      return hasty === terse || judge(hasty, value) === verdict ? verdict : undefined;
    },
    errorsOf(value) {
      verbose ??= compile(location, "verbose");
      if (judge(verbose, value) !== false) return [];
      const errors = (verbose.errors ?? []).map((error) => toBrokenKeyword(error, set));
      return errors.sort((one, other) => depthOf(other) - depthOf(one));
    },
  };
}

/** What a compiled schema says of a value; undefined where it fails. */
export function judge(validate: (value: unknown) => unknown, value: unknown): boolean | undefined {
  try {
    return validate(value) === true;
  } catch (error) {
    // Without end; or a fault in the code that Ajv made, as it has for some conditions beside dependentSchemas.
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/**
 * With or without what errors need to be understood, which takes twice as long to compile; or as Ajv is by default,
 * which ends with the first error.
 */
type Detail = "terse" | "verbose" | "hasty";

/** Where it ends with the first error, Ajv 8.20 forgets that a property with the empty name is required. */
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

/** What is compiled of a set serves every schema in it, and the documents that it knows by then. */
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
    if (!known.has(id)) ajv.addSchema(schema, id);
    known.add(id);
  }
  return ajv;
}

/** A compiler of draft 2020-12 as these schemas are held to it. */
export function createAjv(format: FormatMode, detail: Detail): Ajv2020 {
  const isVerbose = detail === "verbose";
  const ajv = new Ajv2020({
    // One check after the other, which V8 compiles faster than one in the other.
    allErrors: detail !== "hasty",
    logger: false,
    messages: isVerbose,
    strict: false,
    validateFormats: format === "assert",
    // Neighbours that nothing refers to may be anything.
    validateSchema: false,
    verbose: isVerbose,
    // Takes longer than the few values do that are judged.
    code: { optimize: false },
    // A function for each definition, of which V8 compiles those that are called.
    inlineRefs: false,
  });
  if (format === "assert") addFormats.default(ajv);
  return ajv;
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
  const location = isJsonObject(parentSchema) ? set.locate(parentSchema) : undefined;
  return { keyword, pointer: instancePath + named, params, message, schemaPath, location };
}

function depthOf({ pointer }: BrokenKeyword): number {
  return pointer.split("/").length;
}

/**
 * What an object at a location says, with what `convert` makes of the schemas that stand directly in it. Keywords for
 * which `isDropped` are not in it, and the schemas in them not converted.
 */
export function convertSubschemas(
  location: SchemaLocation,
  isDropped: (keyword: string) => boolean,
  convert: (keyword: string, child: SchemaLocation) => Schema,
): { [keyword: string]: unknown } {
  const { schema, set } = location;
  const kept = Object.entries(schema).filter(([keyword]) => !isDropped(keyword));
  // An own property, whatever it is called.
  const converted = Object.fromEntries(kept.map(([keyword, value]) => [keyword, copy(value)]));
  for (const [pointer, child, keyword, name] of subschemas(schema)) {
    if (!Object.hasOwn(converted, keyword)) continue;
    const known = typeof child === "object" ? set.locate(child) : undefined;
    const result = convert(keyword, known ?? childOf(location, pointer));
    if (name === undefined) converted[keyword] = result;
    else Object.assign(Object(converted[keyword]), { [name]: result });
  }
  return converted;
}

/** Of a list or a map of schemas, whose members are then replaced. */
function copy(value: unknown): unknown {
  if (Array.isArray(value)) return [...value];
  return isJsonObject(value) ? { ...value } : value;
}
