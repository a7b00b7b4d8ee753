import type { SchemaNode } from "../../../schemas/schema-node.js";

/** A schema that allows nothing. */
export const NEVER: SchemaNode = { not: {} };
