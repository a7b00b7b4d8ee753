import { IN_PLACE_APPLICATORS } from "../schemas/applicators.js";
import { createAjv, type Judge, judge } from "./compile-schema.js";
import { convertSubschemas } from "./convert-subschemas.js";
import { isPartible } from "./is-partible.js";
import { judgeOf } from "./judge-of.js";
import { isAnything } from "./places/is-anything.js";
import { isAnnotation } from "./satisfiability/annotations.js";
import type { SchemaClasses } from "./satisfiability/schema-classes.js";
import type { SchemaLocation, SchemaSet } from "./schema-set.js";
import type { Schema } from "./subschemas.js";

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
