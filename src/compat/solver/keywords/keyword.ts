import type { JsonObject } from "../../../json/value.js";
import type { SchemaLocation } from "../../schema/schema-set.js";
import type { Formula, Literal } from "../formula.js";

/** A schema that is an object, and the means to speak of others. */
export interface KeywordContext {
  readonly schema: JsonObject;
  readonly location: SchemaLocation;
  /** That a value is valid under the schema at a pointer from here, or that it is not. */
  at(pointer: string, holds: boolean): Literal;
}

/** One thing that a keyword demands of a value, and what is true of exactly the other values. */
export interface Part {
  readonly holds: Formula;
  readonly fails: Formula;
}

/** What a keyword, or a group that only has a meaning together, demands of a value. */
export interface Keyword {
  readonly names: readonly string[];
  /** All that is demanded. */
  parts(context: KeywordContext): readonly Part[];
}
