import type { JsonObject } from "../../../../base/json/value.js";
import type { SchemaLocation } from "../../schema/schema-set.js";
import type { Formula, Literal } from "../logic/formula.js";

/** A schema that is an object, and a way to refer to its subschemas. */
export interface KeywordContext {
  readonly schema: JsonObject;
  readonly location: SchemaLocation;
  /** A value is valid, or invalid, under the schema at a pointer from here. */
  at(pointer: string, holds: boolean): Literal;
}

/** One demand of a keyword, and its exact negation. */
export interface Part {
  readonly holds: Formula;
  readonly fails: Formula;
}

/** A keyword, or a group of keywords that only have a meaning together. */
export interface Keyword {
  readonly names: readonly string[];
  /** Its demands: all of them must hold. */
  parts(context: KeywordContext): readonly Part[];
}
