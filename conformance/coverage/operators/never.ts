import type { SchemaNode } from "../../schemas/schema-node.js";
import type { Witness } from "./operator.js";

/** A schema that allows nothing. */
export const NEVER: SchemaNode = { not: {} };

/** Tells every schema that forbids a place altogether. */
export const present: Witness = {
  name: "with-%",
  why: "% is present",
  toValue: (valid) => valid,
};
