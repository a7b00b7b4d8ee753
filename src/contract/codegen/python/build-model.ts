import type { Definition, Definitions } from "../../schemas/definitions.js";
import { type SchemaNode, typesOf, walkNodes } from "../../schemas/nodes.js";
import { recursiveNames } from "../definitions.js";
import type { CodegenInput } from "../target.js";
import { typeParts } from "./flatten.js";
import { isObjectType, type PythonDefinition, PythonModel, withSchema } from "./model.js";
import { snakeCase, UniqueNames } from "./names.js";
import { isSimpleObject } from "./simple.js";

export function createPythonModel({ definitions }: Pick<CodegenInput, "definitions">): PythonModel {
  return new ModelBuilder(definitions).build();
}

class ModelBuilder {
  readonly #definitions: Definitions;
  readonly #recursive: ReadonlySet<string>;
  /** Types that lead to themselves without a class between. Python knows no name of such a type. */
  readonly #circles: ReadonlySet<string>;
  readonly #names = new UniqueNames();
  readonly #functions = new UniqueNames();
  readonly #model: PythonModel;

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
    this.#model = new PythonModel(isLarge(definitions));
    this.#recursive = recursiveNames(definitions);
    for (const name of definitions.keys()) this.#names.take(name);
    const aliases = [...definitions].filter(([, { node }]) => {
      return !isObjectType(typeParts(node, definitions));
    });
    this.#circles = recursiveNames(new Map(aliases));
  }

  build(): PythonModel {
    for (const definition of this.#definitions.values()) {
      const { name, node } = definition;
      const owner: Owner = { definition, parts: [], lifted: new Map() };
      const flat = typeParts(node, this.#definitions);
      const type = isObjectType(flat)
        ? this.#fields(owner, flat, name)
        : this.#type(owner, node, name);
      this.#add({ ...definition, node: type, schemaNode: node }, name);
      for (const part of owner.parts) this.#add(part, name);
    }
    return this.#model;
  }

  #add(part: Part, owner: string): void {
    const isJudged =
      this.#model.isLarge ||
      this.#recursive.has(owner) ||
      !isSimpleObject(part.schemaNode, this.#definitions);
    const functionName = this.#functions.take(snakeCase(part.name));
    this.#model.set(part.name, { ...part, isJudged, functionName });
  }

  /** The type of a class: its fields, whose own objects are lifted. */
  #fields(owner: Owner, flat: SchemaNode, path: string): SchemaNode {
    const properties = Object.entries(flat.properties ?? {}).map(
      ([name, child]): [string, SchemaNode] => [
        name,
        this.#type(owner, child, path + pascalCase(name)),
      ],
    );
    return { ...flat, properties: Object.fromEntries(properties) };
  }

  /** The type of a value below a definition, with its schema. */
  #type(owner: Owner, node: SchemaNode, path: string): SchemaNode {
    const { description } = node;
    const type = this.#typeOf(owner, node, path);
    return withSchema({ ...type, ...(description !== undefined && { description }) }, node);
  }

  #typeOf(owner: Owner, node: SchemaNode, path: string): SchemaNode {
    const flat = typeParts(node, this.#definitions);
    const below = (child: SchemaNode, step: string): SchemaNode =>
      this.#type(owner, child, path + step);
    if (flat.$ref !== undefined) {
      const isCircle = [flat.$ref, owner.definition.name].every((name) => this.#circles.has(name));
      return isCircle ? {} : { $ref: flat.$ref };
    }
    if (isObjectType(flat)) return { $ref: this.#lift(owner, node, flat, path) };
    if (flat.anyOf !== undefined) {
      return { anyOf: flat.anyOf.map((member, at) => below(member, `Option${at + 1}`)) };
    }
    const types = typesOf(flat);
    if (types.includes("object") && types.length > 1 && flat.properties !== undefined) {
      return {
        anyOf: types.map((type) => below({ ...flat, type }, type === "object" ? "Object" : "")),
      };
    }
    return {
      ...flat,
      ...(flat.items && { items: below(flat.items, "Item") }),
      ...(flat.prefixItems && {
        prefixItems: flat.prefixItems.map((item, at) => below(item, `Item${at + 1}`)),
      }),
      ...(typeof flat.additionalProperties === "object" && {
        additionalProperties: below(flat.additionalProperties, "Value"),
      }),
    };
  }

  #lift(owner: Owner, node: SchemaNode, flat: SchemaNode, path: string): string {
    // An object may show itself through an `allOf`.
    const known = owner.lifted.get(node);
    if (known !== undefined) return known;
    const name = this.#names.take(path);
    owner.lifted.set(node, name);
    if (!this.#model.lifted.has(node)) this.#model.lifted.set(node, name);
    const type = this.#fields(owner, flat, path);
    owner.parts.push({ ...owner.definition, name, node: type, schemaNode: node });
    return name;
  }
}

type Part = Omit<PythonDefinition, "isJudged" | "functionName">;

/** A definition, and what became of the objects that it declares in place. */
interface Owner {
  readonly definition: Definition;
  readonly parts: Part[];
  readonly lifted: Map<SchemaNode, string>;
}

function pascalCase(wireName: string): string {
  // At its beginning there may be a letter, or what is none.
  return wireName.replace(/(?:^|[^A-Za-z0-9])[^A-Za-z0-9]*([A-Za-z0-9]?)/g, (_, letter: string) =>
    letter.toUpperCase(),
  );
}

/** Fields, in all and of one class, whose code pyright checks in seconds: its time grows with the square of a module's length. */
const MAX_FIELDS = 500;
const MAX_FIELDS_OF_CLASS = 100;

function isLarge(definitions: Definitions): boolean {
  const nodes = [...definitions.values()].flatMap(({ node }) => [...walkNodes(node)]);
  const counts = nodes.map(({ node }) => Object.keys(node.properties ?? {}).length);
  const sum = counts.reduce((total, count) => total + count, 0);
  return sum > MAX_FIELDS || counts.some((count) => count > MAX_FIELDS_OF_CLASS);
}
