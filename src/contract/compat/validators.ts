import { _, type KeywordCxt } from "ajv/dist/2020.js";
import { isJsonObject, type JsonObject } from "../../base/json/value.js";
import { UserError } from "../../base/user-error.js";
import { IN_PLACE_APPLICATORS } from "../schemas/keywords.js";
import {
  type AjvValidator,
  compileSchema,
  createAjv,
  requiresEmptyName,
  verdictOf,
} from "./ajv/ajv.js";
import { toAjvDialect } from "./ajv/ajv-dialect.js";
import {
  convertSubschemas,
  HOLE,
  type Schema,
  type SchemaLocation,
  type SchemaSet,
} from "./schema/schema-set.js";
import type { SchemaClasses } from "./solver/schema-classes.js";
import { isAnnotation, isAnything } from "./solver/to-formula.js";

const validators = new WeakMap<SchemaSet, Map<string, AjvValidator>>();

/** The Ajv validator of a schema, compiled once. */
export function validatorOf(location: SchemaLocation): AjvValidator {
  const { set, uri, pointer } = location;
  const known = validators.get(set) ?? new Map<string, AjvValidator>();
  validators.set(set, known);
  const id = `${uri}#${pointer}`;
  const validator = known.get(id) ?? compileSchema(location);
  known.set(id, validator);
  return validator;
}

/** The same, but throws UserError (exit 3) if Ajv cannot compile the schema. */
export function requireValidator(location: SchemaLocation): AjvValidator {
  const validator = validatorOf(location);
  if (validator.problem !== undefined) throw new UserError(validator.problem);
  return validator;
}

/** Keywords that Ajv compiles independently of their context, besides annotations. */
const COMPOSABLE: ReadonlySet<string> = new Set([
  HOLE,
  "$ref",
  "additionalProperties",
  "allOf",
  "anyOf",
  "const",
  "dependentRequired",
  "enum",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "format",
  "items",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "multipleOf",
  "not",
  "oneOf",
  "pattern",
  "patternProperties",
  "prefixItems",
  "properties",
  "propertyNames",
  "required",
  "type",
  "unevaluatedProperties",
  "uniqueItems",
]);

/** Keywords that name a schema, so that its context matters. */
const NAMING: ReadonlySet<string> = new Set(["$anchor", "$dynamicAnchor", "$id", "$vocabulary"]);

/**
 * Whether Ajv gives the same verdicts if the schemas of a set are compiled one by one. It does not for `contains`,
 * `if`, `dependentSchemas` and `unevaluatedItems`, whose state leaks into other places, nor for keywords that only
 * Ajv knows, nor for schemas that it refuses.
 */
export function compilesSeparately(set: SchemaSet): boolean {
  const documents = new Set([...set.documents()].map(([, schema]) => schema));
  return [...set.locations()].every((location) =>
    isComposable(location, documents.has(location.schema)),
  );
}

function isComposable({ schema }: SchemaLocation, isDocument: boolean): boolean {
  if (typeof schema === "boolean") return true;
  const areKnown = Object.keys(schema).every((keyword) => {
    if (NAMING.has(keyword)) return keyword === "$id" && isDocument;
    return COMPOSABLE.has(keyword) || isAnnotation(keyword);
  });
  // Ajv refuses an empty `enum`.
  const isEmpty = Array.isArray(schema.enum) && schema.enum.length === 0;
  return areKnown && !isEmpty && !requiresEmptyName(schema);
}

/** Keyword of this module: the value must be valid under the schema class that it names. */
const CLASS = "rollout-wire:class";

/** The same for many properties at once: Ajv takes long to compile one by one. */
const CLASSES = "rollout-wire:classes";

/** Number of properties from which they are validated at once. */
const MANY_PROPERTIES = 200;

/** Moves the classes of many properties to the keyword CLASSES. */
function separateProperties(schema: { [keyword: string]: unknown }): void {
  const { properties } = schema;
  if (!isJsonObject(properties) || Object.keys(properties).length < MANY_PROPERTIES) return;
  const [uris, rest]: [[string, unknown][], [string, unknown][]] = [[], []];
  for (const [name, property] of Object.entries(properties)) {
    const uri = isJsonObject(property) ? property[CLASS] : undefined;
    if (uri !== undefined) uris.push([name, uri]);
    rest.push([name, uri === undefined ? property : true]);
  }
  schema.properties = Object.fromEntries(rest);
  schema[CLASSES] = Object.fromEntries(uris);
}

type Validate = (value: unknown) => unknown;

/**
 * Validators for schemas that share most of their parts, as two versions do. Each class of equal schemas is a
 * document of its own, compiled once, when a value first reaches it.
 */
export class ClassValidators {
  readonly #classes: SchemaClasses;
  /** Asserts formats; where `format` is an annotation, it is left out of the documents. */
  readonly #ajv = createAjv("assert", "terse");
  readonly #separate = new Map<SchemaSet, boolean>();
  /** The first schema of each class, by the URI of the class's document. */
  readonly #locations = new Map<string, SchemaLocation>();
  readonly #written = new Set<string>();
  readonly #functions = new Map<string, Validate>();

  constructor(classes: SchemaClasses) {
    this.#classes = classes;
    this.#ajv.addKeyword({
      keyword: CLASS,
      schemaType: "string",
      // Inline code with one shared function: Ajv takes quadratically long for a function each.
      code: (cxt: KeywordCxt) => {
        const validate = cxt.gen.scopeValue("func", { ref: this.#isValid });
        cxt.fail(_`!${validate}(${String(cxt.schema)}, ${cxt.data})`);
      },
      error: { message: "must be valid" },
    });
    this.#ajv.addKeyword({
      keyword: CLASSES,
      type: "object",
      schemaType: "object",
      errors: false,
      validate: (uris: JsonObject, value: JsonObject) =>
        Object.keys(value).every(
          (name) =>
            !Object.hasOwn(uris, name) ||
            this.#functionOf(String(uris[name]))(value[name]) === true,
        ),
    });
  }

  /** The validator of a schema: by classes if that gives the same verdicts, else of the schema as a whole. */
  of(location: SchemaLocation): Pick<AjvValidator, "isValid" | "problem"> {
    if (!this.compilesSeparately(location.set)) return validatorOf(location);
    const uri = this.#nameOf(location);
    return { isValid: (value) => verdictOf((each) => this.#functionOf(uri)(each), value) };
  }

  readonly #isValid = (uri: string, value: unknown): boolean =>
    this.#functionOf(uri)(value) === true;

  /** As the function of that name, cached. */
  compilesSeparately(set: SchemaSet): boolean {
    const known = this.#separate.get(set) ?? compilesSeparately(set);
    this.#separate.set(set, known);
    return known;
  }

  #functionOf(uri: string): Validate {
    const validate = this.#functions.get(uri) ?? this.#compile(uri);
    this.#functions.set(uri, validate);
    return validate;
  }

  /** If Ajv cannot compile the class, the function throws TypeError; `verdictOf` then returns no verdict. */
  #compile(uri: string): Validate {
    try {
      this.#write(uri);
      const validate = this.#ajv.getSchema(uri);
      if (validate === undefined) throw new TypeError("Ajv does not know it");
      // V8 parses the function now. What it cannot parse once, it would try to parse for each value.
      validate(undefined);
      return validate;
    } catch (cause) {
      return () => {
        throw new TypeError("Ajv cannot compile it", { cause });
      };
    }
  }

  /** Adds the document of a class, and those that it refers to. */
  #write(root: string): void {
    const waiting = [root];
    for (let uri = waiting.pop(); uri !== undefined; uri = waiting.pop()) {
      const location = this.#locations.get(uri);
      if (location === undefined || this.#written.has(uri)) continue;
      this.#written.add(uri);
      this.#ajv.addSchema(toAjvDialect(this.#convert(location, waiting)), uri);
    }
  }

  /** `referred` receives the documents that the schema refers to. */
  #convert(location: SchemaLocation, referred: string[]): Schema {
    const { schema, set } = location;
    if (typeof schema === "boolean") return schema;
    const converted = convertSubschemas(
      location,
      (keyword) => isAnnotation(keyword, set.format),
      (keyword, child) => this.#convertChild(keyword, child, referred),
    );
    separateProperties(converted);
    if (typeof schema.$ref !== "string") return converted;
    const uri = this.#nameOf(set.resolve(location, schema.$ref));
    referred.push(uri);
    return { ...converted, $ref: uri };
  }

  /** In-place subschemas stay inline: what they evaluate matters to the schema around them. */
  #convertChild(keyword: string, child: SchemaLocation, referred: string[]): Schema {
    const isInPlace = IN_PLACE_APPLICATORS.includes(keyword);
    if (isInPlace || typeof child.schema === "boolean" || isAnything(child.schema)) {
      return this.#convert(child, referred);
    }
    return { [CLASS]: this.#nameOf(child) };
  }

  #nameOf(location: SchemaLocation): string {
    const uri = `class:${this.#classes.of(location)}`;
    if (!this.#locations.has(uri)) this.#locations.set(uri, location);
    return uri;
  }
}
