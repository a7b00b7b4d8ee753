import { IN_PLACE_APPLICATORS } from "../schemas/applicators.js";
import { createAjv, type Judge, judge, requiresEmptyName } from "./compile-schema.js";
import { convertSubschemas } from "./convert-subschemas.js";
import { judgeOf } from "./judge-of.js";
import { isAnything } from "./places/is-anything.js";
import { isAnnotation } from "./satisfiability/annotations.js";
import type { SchemaClasses } from "./satisfiability/schema-classes.js";
import type { SchemaLocation } from "./schema-set.js";
import type { Schema } from "./subschemas.js";

/** Leads to the class by which a part of the value is judged. */
const CLASS = "rollout-wire:class";

/** Is thrown for what has to be compiled as it stands, and for what cannot be compiled. */
class NotCompiled extends Error {}

/**
 * What Ajv says of values under schemas of which most say the same, as two versions do: what stands in several is
 * compiled once, and when a value gets there. Each class of schemas is a document of its own.
 */
export class ClassJudges {
  readonly #classes: SchemaClasses;
  /** Where `format` is an annotation, no document has it. */
  readonly #ajv = createAjv("assert", "terse");
  /** A schema of each class, by the URI of its document. */
  readonly #locations = new Map<string, SchemaLocation>();
  readonly #written = new Set<string>();
  readonly #functions = new Map<string, (value: unknown) => unknown>();
  readonly #judges = new Map<string, Judge>();

  constructor(classes: SchemaClasses) {
    this.#classes = classes;
    this.#ajv.addKeyword({
      keyword: CLASS,
      schemaType: "string",
      errors: false,
      validate: (uri: string, value: unknown) => this.#functionOf(uri)(value) === true,
    });
  }

  of(location: SchemaLocation): Judge {
    const uri = this.#name(location);
    const judge = this.#judges.get(uri) ?? this.#create(uri, location);
    this.#judges.set(uri, judge);
    return judge;
  }

  #create(uri: string, location: SchemaLocation): Judge {
    let plain: Judge | undefined;
    return {
      isValid: (value) => {
        try {
          if (plain === undefined) return judge(this.#functionOf(uri), value);
        } catch (error) {
          if (!(error instanceof NotCompiled)) throw error;
        }
        plain = judgeOf(location);
        return plain.isValid(value);
      },
      errorsOf: (value) => judgeOf(location).errorsOf(value),
      get problem() {
        return plain?.problem;
      },
    };
  }

  /** Throws NotCompiled. */
  #functionOf(uri: string): (value: unknown) => unknown {
    const validate = this.#functions.get(uri) ?? this.#compile(uri);
    this.#functions.set(uri, validate);
    return validate;
  }

  #compile(uri: string): (value: unknown) => unknown {
    try {
      this.#write(uri);
      const validate = this.#ajv.getSchema(uri);
      if (validate !== undefined) return validate;
    } catch {
      // As it stands, Ajv may compile it, or say what is wrong.
    }
    throw new NotCompiled();
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
    if (schema.$dynamicRef !== undefined || requiresEmptyName(schema)) throw new NotCompiled();
    const converted = convertSubschemas(
      { ...location, schema },
      (keyword) => isAnnotation(keyword, set.format) || keyword === CLASS,
      (child, keyword) => this.#convertChild(child, keyword),
    );
    if (typeof schema.$ref === "string") {
      converted.$ref = this.#name(set.resolve(location, schema.$ref));
      this.#write(String(converted.$ref));
    }
    return converted;
  }

  /** What is held against the value itself is not parted from what is around, for which it may evaluate something. */
  #convertChild(child: SchemaLocation, keyword: string): Schema {
    const isPart = !IN_PLACE_APPLICATORS.includes(keyword) && !isAnything(child.schema);
    return isPart && child.schema !== false ? { [CLASS]: this.#name(child) } : this.#convert(child);
  }

  #name(location: SchemaLocation): string {
    const uri = `class:${this.#classes.of(location)}`;
    this.#locations.set(uri, location);
    return uri;
  }
}
