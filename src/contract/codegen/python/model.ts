import { EXIT, UserError } from "../../../base/user-error.js";
import type { Definition, Definitions } from "../../schemas/definitions.js";
import { mapSubschemas, type SchemaNode } from "../../schemas/nodes.js";
import { flattenAllOf } from "../definitions.js";
import type { CodegenInput } from "../target.js";
import { snakeCase } from "./names.js";
import { TypeAttributeKind } from "./quicktype.js";

/**
 * The definitions for the Python code: `allOf` is flattened, and nested object types become definitions of
 * their own.
 */
export type PythonModel = Definitions;

/** Throws UserError if two classes would have the same name, or functions of the same name. */
export function createPythonModel({ definitions }: CodegenInput): PythonModel {
  const model = new Map<string, Definition>();
  const names = new Map<string, string>();
  for (const definition of definitions.values()) {
    const flat = { ...definition, node: flattenAllOf(definition.node, definitions) };
    for (const lifted of liftInlineObjects(flat)) {
      const other = names.get(snakeCase(lifted.name));
      if (other !== undefined) {
        throw new UserError(
          `${lifted.schema.file} /$defs/${definition.name} needs a class ${lifted.name}, which ${other} takes: rename one`,
          EXIT.findings,
        );
      }
      names.set(snakeCase(lifted.name), lifted.name);
      model.set(lifted.name, lifted);
    }
  }
  return model;
}

/** Whether a definition becomes a class; others become aliases. */
export function isClass({ node }: Definition): boolean {
  return node.type === "object" && Object.keys(node.properties ?? {}).length > 0;
}

function liftInlineObjects({ name, node, ...origin }: Definition): Definition[] {
  const lifted: Definition[] = [];
  const lift = (child: SchemaNode, path: string): SchemaNode => {
    const own = mapSubschemas(child, (grandchild, at) => lift(grandchild, path + stepOf(at)));
    if (Object.keys(child.properties ?? {}).length === 0) return own;
    lifted.push({ ...origin, name: path, node: own });
    const ref: SchemaNode = { $ref: path };
    return child.description === undefined ? ref : { description: child.description, ...ref };
  };
  const top = mapSubschemas(node, (child, at) => lift(child, name + stepOf(at)));
  return [{ ...origin, name, node: top }, ...lifted];
}

/** Names a subschema after its place: `Item`, `Value`, or the property's name. */
function stepOf(path: readonly string[]): string {
  const [keyword, property] = path;
  if (property !== undefined) return pascalCase(property);
  return keyword === "items" ? "Item" : "Value";
}

function pascalCase(wireName: string): string {
  return wireName.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, letter: string) =>
    letter.toUpperCase(),
  );
}

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
