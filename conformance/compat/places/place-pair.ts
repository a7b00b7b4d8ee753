import type { Direction } from "../direction.js";
import type { Formula } from "../satisfiability/formula.js";
import type { SchemaClasses } from "../satisfiability/schema-classes.js";
import type { Place } from "./place.js";

/** The same place in both versions. */
export interface PlacePair {
  /** Where the values stand in a record: names of properties and indices; `*` for any. */
  readonly path: readonly string[];
  readonly old: Place;
  readonly new: Place;
  /** The same text for schemas that mean the same, in either version. */
  readonly classes: SchemaClasses;
  /** Whether what stands here is judged only under some condition, as in a member of `anyOf`. */
  readonly isConditional: boolean;
  /**
   * That a record has a value here of which `formula` is true, in a comparison in that direction; the condition
   * under which the writer's schema holds here is part of it.
   */
  embed(direction: Direction, formula: Formula): Formula;
}
