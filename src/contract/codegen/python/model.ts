import type { Definition, SourceSchema } from "../../schemas/definitions.js";
import type { SchemaNode } from "../../schemas/nodes.js";
import { TypeAttributeKind } from "./quicktype.js";

/** A definition as Python has it. Objects that are declared in place are definitions of their own. */
export interface PythonDefinition extends Definition {
  /** What the type is printed from: no `allOf`, and no keyword that no type can say. Values that the schema accepts have it. */
  readonly node: SchemaNode;
  /** The schema of the values. */
  readonly schemaNode: SchemaNode;
  /** Whether the whole value is judged by its schema as data, and not by code for its fields. */
  readonly isJudged: boolean;
  /** The name in its functions: `decode_<function>`. */
  readonly functionName: string;
}

export class PythonModel extends Map<string, PythonDefinition> {
  /** The names of the definitions that objects declared in place became, by their schemas. */
  readonly lifted = new Map<SchemaNode, string>();

  /** Whether the code of all classes is data: type checkers would take minutes for so many functions. */
  readonly isLarge: boolean;

  constructor(isLarge = false) {
    super();
    this.isLarge = isLarge;
  }

  /** The definition of this name, which exists: all references are resolved. */
  at(name: string): PythonDefinition {
    const definition = this.get(name);
    if (definition === undefined) throw new Error(`there is no definition ${name}`);
    return definition;
  }
}

/** By the type of a value: its schema. */
const schemaNodes = new WeakMap<SchemaNode, SchemaNode>();

/** Notes the schema of the values whose type `node` is; returns the type. */
export function withSchema(node: SchemaNode, schema: SchemaNode): SchemaNode {
  schemaNodes.set(node, schema);
  return node;
}

/** The schema of the values whose type `node` is. */
export function schemaNodeOf(node: SchemaNode): SchemaNode {
  return schemaNodes.get(node) ?? node;
}

/** Whether a definition becomes a class; others become aliases. */
export function isClass({ node }: Pick<Definition, "node">): boolean {
  return isObjectType(node);
}

export function isObjectType(node: SchemaNode): boolean {
  return node.type === "object" && Object.keys(node.properties ?? {}).length > 0;
}

/** Definitions of records that are no classes: an object reads their values. */
export function readersOf(
  model: PythonModel,
  { name, entryTypes }: Pick<SourceSchema, "name" | "entryTypes">,
): PythonDefinition[] {
  const all = [...model.values()].filter(({ schema }) => schema.name === name);
  return all.filter((each) => entryTypes.includes(each.name) && !isClass(each));
}

/** The name of the object that reads the values of a definition. */
export function readerName({ name }: Pick<Definition, "name">): string {
  return `${name}Reader`;
}

/** A property of the schema as a field of a dataclass. */
export interface Field {
  readonly wireName: string;
  readonly name: string;
  readonly node: SchemaNode;
  readonly isRequired: boolean;
}

/** A definition as a dataclass. */
export interface RecordClass extends Pick<PythonDefinition, "name" | "functionName" | "isJudged"> {
  readonly description: string;
  readonly fields: readonly Field[];
  readonly isOpen: boolean;
}

/**
 * Carries the name of a definition through quicktype's graph. The renderer uses it to find the schema of each
 * class, and it keeps classes of the same shape apart.
 */
class DefinitionNameKind extends TypeAttributeKind<string> {
  constructor() {
    super("definitionName");
  }

  override combine(names: string[]): string | undefined {
    return names[0];
  }

  override makeInferred(): undefined {
    return undefined;
  }

  override get inIdentity(): boolean {
    return true;
  }
}

export const definitionNameKind = new DefinitionNameKind();
