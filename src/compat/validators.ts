import { IN_PLACE_APPLICATORS } from "../schemas/keywords.js";
import { UserError } from "../user-error.js";
import {
  compileSchema,
  convertSubschemas,
  createAjv,
  type Judge,
  judge,
  requiresEmptyName,
} from "./ajv.js";
import type { Schema, SchemaLocation, SchemaSet } from "./schema-set.js";
import type { SchemaClasses } from "./solver/schema-classes.js";
import { isAnnotation, isAnything } from "./solver/to-formula.js";

const judges = new WeakMap<SchemaSet, Map<string, Judge>>();

/** What Ajv says of values under a schema, which is compiled once. */
export function judgeOf(location: SchemaLocation): Judge {
  const { set, uri, pointer } = location;
  const known = judges.get(set) ?? new Map<string, Judge>();
  judges.set(set, known);
  const id = `${uri}#${pointer}`;
  const judge = known.get(id) ?? compileSchema(location);
  known.set(id, judge);
  return judge;
}

/** The same for records that have to be judged. Throws UserError (exit 3) for what Ajv cannot compile. */
export function requireJudge(location: SchemaLocation): Judge {
  const judge = judgeOf(location);
  if (judge.problem !== undefined) throw new UserError(judge.problem);
  return judge;
}

/** Keywords that Ajv compiles the same whatever stands around them, beside annotations. */
const COMPOSABLE: ReadonlySet<string> = new Set([
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

/** Keywords that give a schema another name, by which what stands around it matters. */
const NAMING: ReadonlySet<string> = new Set(["$anchor", "$dynamicAnchor", "$id", "$vocabulary"]);

/**
 * Whether Ajv says of values, when the schemas of a set are compiled one by one, what it says when they are compiled
 * as they stand. Of `contains`, `if`, `dependentSchemas` and `unevaluatedItems` it does not: what it keeps of one
 * place reaches others. Nor of what it alone knows, and of what it refuses.
 */
export function isPartible(set: SchemaSet): boolean {
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
  // Ajv refuses an `enum` of nothing.
  const isEmpty = Array.isArray(schema.enum) && schema.enum.length === 0;
  return areKnown && !isEmpty && !requiresEmptyName(schema);
}

/** Leads from a place in a value to the class by which that is judged. */
const CLASS = "rollout-wire:class";

type Validate = (value: unknown) => unknown;

/**
 * What Ajv says of values under schemas of which most say the same, as two versions do: what stands in several is
 * compiled once, and when a value gets there. Each class of schemas is a document of its own.
 */
export class ClassJudges {
  readonly #classes: SchemaClasses;
  /** Where `format` is an annotation, no document has it. */
  readonly #ajv = createAjv("assert", "terse");
  readonly #partible = new Map<SchemaSet, boolean>();
  /** The first schema of each class, by the URI of the class's document. */
  readonly #locations = new Map<string, SchemaLocation>();
  readonly #written = new Set<string>();
  readonly #functions = new Map<string, Validate>();

  constructor(classes: SchemaClasses) {
    this.#classes = classes;
    this.#ajv.addKeyword({
      keyword: CLASS,
      schemaType: "string",
      errors: false,
      validate: (uri: string, value: unknown) => this.#functionOf(uri)(value) === true,
    });
  }

  /** What it says under a schema: by classes where that is what it says of the schema as it stands. */
  of(location: SchemaLocation): Pick<Judge, "isValid" | "problem"> {
    if (!this.isPartible(location.set)) return judgeOf(location);
    const uri = this.#nameOf(location);
    return { isValid: (value) => judge((each) => this.#functionOf(uri)(each), value) };
  }

  /** Whether all schemas of a set mean to Ajv, each by itself, what they mean together. */
  isPartible(set: SchemaSet): boolean {
    const known = this.#partible.get(set) ?? isPartible(set);
    this.#partible.set(set, known);
    return known;
  }

  #functionOf(uri: string): Validate {
    const validate = this.#functions.get(uri) ?? this.#compile(uri);
    this.#functions.set(uri, validate);
    return validate;
  }

  /** Throws TypeError for what cannot be compiled: of its values nobody can say anything. */
  #compile(uri: string): Validate {
    try {
      this.#write(uri);
      const validate = this.#ajv.getSchema(uri);
      if (validate !== undefined) return validate;
    } catch (cause) {
      throw new TypeError("Ajv cannot compile it", { cause });
    }
    throw new TypeError("Ajv does not know it");
  }

  /** Enters the document of a class, and those that are compiled with it. */
  #write(uri: string): void {
    const location = this.#locations.get(uri);
    if (location === undefined || this.#written.has(uri)) return;
    this.#written.add(uri);
    this.#ajv.addSchema(this.#convert(location), uri);
  }

  #convert(location: SchemaLocation): Schema {
    const { schema, set } = location;
    if (typeof schema === "boolean") return schema;
    const converted = convertSubschemas(
      location,
      (keyword) => isAnnotation(keyword, set.format),
      (keyword, child) => this.#convertChild(keyword, child),
    );
    if (typeof schema.$ref !== "string") return converted;
    const uri = this.#nameOf(set.resolve(location, schema.$ref));
    this.#write(uri);
    return { ...converted, $ref: uri };
  }

  /** What is judged in place stays where it is: what it evaluates matters to the schema around it. */
  #convertChild(keyword: string, child: SchemaLocation): Schema {
    const isInPlace = IN_PLACE_APPLICATORS.includes(keyword);
    if (isInPlace || typeof child.schema === "boolean" || isAnything(child.schema)) {
      return this.#convert(child);
    }
    return { [CLASS]: this.#nameOf(child) };
  }

  #nameOf(location: SchemaLocation): string {
    const uri = `class:${this.#classes.of(location)}`;
    if (!this.#locations.has(uri)) this.#locations.set(uri, location);
    return uri;
  }
}
