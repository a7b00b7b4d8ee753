import type { SchemaNode } from "../../../conformance/schemas/nodes.js";

/** A property of the schema as a field of a dataclass. */
export interface Field {
  readonly wireName: string;
  readonly name: string;
  readonly node: SchemaNode;
  readonly isRequired: boolean;
}

/** A definition as a dataclass. */
export interface RecordClass {
  readonly name: string;
  readonly description: string;
  readonly fields: readonly Field[];
  readonly isOpen: boolean;
}
