import type { Ajv2020 } from "ajv/dist/2020.js";
import { IN_PLACE_APPLICATORS } from "../schemas/applicators.js";
import { createAjv, type Judge, judge, requiresEmptyName } from "./compile-schema.js";
import { convertSubschemas } from "./convert-subschemas.js";
import { judgeOf } from "./judge-of.js";
import { isAnything } from "./places/is-anything.js";
import { isAnnotation } from "./satisfiability/annotations.js";
import type { SchemaClasses } from "./satisfiability/schema-classes.js";
import type { FormatMode, SchemaLocation } from "./schema-set.js";
import type { Schema } from "./subschemas.js";

/**
 * What Ajv says of values under schemas of which most say the same, as two versions do: what stands in several is
 * compiled once. Each class of schemas is a document of its own, that refers to others by the names of their classes.
 */
export class ClassJudges {
  readonly #classes: SchemaClasses;
  readonly #compilers = new Map<FormatMode, Ajv2020>();
  readonly #written = new Set<string>();
  readonly #judges = new Map<string, Judge>();

  constructor(classes: SchemaClasses) {
    this.#classes = classes;
  }

  of(location: SchemaLocation): Judge {
    const uri = this.#uriOf(location);
    const judge = this.#judges.get(uri) ?? this.#create(location) ?? judgeOf(location);
    this.#judges.set(uri, judge);
    return judge;
  }

  /** Undefined for what has to be compiled as it stands, and for what cannot be compiled. */
  #create(location: SchemaLocation): Judge | undefined {
    try {
      this.#enter(location);
      const validate = this.#compilerOf(location).getSchema(this.#uriOf(location));
      if (validate === undefined) return undefined;
      return {
        isValid: (value) => judge(validate, value),
        errorsOf: (value) => judgeOf(location).errorsOf(value),
      };
    } catch {
      return undefined;
    }
  }

  /** The URI of the document that holds the schema's class; what it refers to is entered with it. */
  #enter(location: SchemaLocation): string {
    const uri = this.#uriOf(location);
    if (!this.#written.has(uri)) {
      this.#written.add(uri);
      this.#compilerOf(location).addSchema(this.#write(location), uri);
    }
    return uri;
  }

  #write(location: SchemaLocation): Schema {
    const { schema, set } = location;
    if (typeof schema === "boolean") return schema;
    if (schema.$dynamicRef !== undefined || requiresEmptyName(schema)) {
      throw new TypeError("has to be compiled as it stands");
    }
    const written = convertSubschemas(
      { ...location, schema },
      (keyword) => isAnnotation(keyword, set.format),
      (child, keyword) =>
        this.#isParted(child, keyword) ? { $ref: this.#enter(child) } : this.#write(child),
    );
    if (typeof schema.$ref === "string") {
      written.$ref = this.#enter(set.resolve(location, schema.$ref));
    }
    return written;
  }

  /** Not what is evaluated in place, as Ajv looks from around at what that evaluates. */
  #isParted(child: SchemaLocation, keyword: string): boolean {
    if (typeof child.schema === "boolean" || isAnything(child.schema)) return false;
    return !IN_PLACE_APPLICATORS.includes(keyword) && this.#classes.isShared(child);
  }

  #uriOf(location: SchemaLocation): string {
    return `${location.set.format}:${this.#classes.of(location)}`;
  }

  #compilerOf({ set: { format } }: SchemaLocation): Ajv2020 {
    const ajv = this.#compilers.get(format) ?? createAjv(format, "terse");
    this.#compilers.set(format, ajv);
    return ajv;
  }
}
