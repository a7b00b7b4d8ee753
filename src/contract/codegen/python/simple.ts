import { type Definitions, definitionOf } from "../../schemas/definitions.js";
import { isAnnotation } from "../../schemas/keywords.js";
import { type SchemaNode, typesOf } from "../../schemas/nodes.js";
import { formatFailure } from "./conditions.js";
import { isClass, type PythonModel } from "./model.js";

const OF_TYPES: Readonly<Record<string, string>> = {
  items: "array",
  minItems: "array",
  maxItems: "array",
  minLength: "string",
  maxLength: "string",
  pattern: "string",
  format: "string",
  minimum: "number",
  maximum: "number",
  exclusiveMinimum: "number",
  exclusiveMaximum: "number",
};

/** Python allows no more than 20 nested blocks. */
const MAX_DEPTH = 8;

/** More are found by their hashes, as data. */
const MAX_LITERALS = 100;

/** Whether code for the keywords of `node` judges its values. Others are judged by the schema as data. */
export function isSimple(
  node: SchemaNode,
  model: PythonModel,
  seen: ReadonlySet<string> = new Set(),
  depth = 0,
): boolean {
  if (model.lifted.has(node)) return true;
  const { $ref } = node;
  const keywords = Object.keys(node).filter((keyword) => !isAnnotation(keyword));
  if ($ref !== undefined) {
    const target = model.get($ref);
    if (keywords.length > 1 || target === undefined || seen.has($ref)) return false;
    return isClass(target) || isSimple(target.schemaNode, model, new Set([...seen, $ref]), depth);
  }
  const { items, additionalProperties: values } = node;
  const children = [items, values].filter((child) => typeof child === "object");
  return (
    depth <= MAX_DEPTH &&
    keywords.every((keyword) => isSimpleKeyword(keyword, node)) &&
    hasSimpleLiterals(node) &&
    children.every((child) => isSimple(child, model, seen, depth + 1))
  );
}

function isSimpleKeyword(keyword: string, node: SchemaNode): boolean {
  const types = typesOf(node);
  if (keyword === "type") return types.length > 0;
  if (keyword === "enum" || keyword === "const") return true;
  if (keyword === "additionalProperties") {
    return node.type === "object" && node.additionalProperties !== false;
  }
  const demanded = OF_TYPES[keyword];
  const [type, ...more] = types.filter((each) => each !== "null");
  const general = type === "integer" ? "number" : type;
  if (demanded === undefined || more.length > 0 || general !== demanded) return false;
  const limit = node[keyword as keyof SchemaNode];
  if (typeof limit === "number") return Math.abs(limit) <= Number.MAX_SAFE_INTEGER;
  return node.format === undefined || formatFailure(node.format, "", () => "") !== undefined;
}

function hasSimpleLiterals(node: SchemaNode): boolean {
  const literals = [...(node.enum ?? []), ...(node.const === undefined ? [] : [node.const])];
  if (node.const === null || literals.length > MAX_LITERALS) return false;
  if (node.enum !== undefined && (node.const !== undefined || literals.length === 0)) return false;
  const types = typesOf(node);
  return literals.every((literal) => {
    if (typeof literal === "object" && literal !== null) return false;
    if (typeof literal === "number" && !Number.isSafeInteger(literal)) return false;
    if (types.length === 0) return true;
    const type = literal === null ? "null" : typeof literal;
    return types.some((each) => (each === "integer" ? "number" : each) === type);
  });
}

const OF_OBJECTS = ["type", "properties", "required", "additionalProperties", "allOf"];

/**
 * Whether the keywords of an object itself are those that its code judges: declared fields, and plain bases that it does not
 * declare again. True also for all that is no object with fields.
 */
export function isSimpleObject(node: SchemaNode, definitions: Definitions): boolean {
  return fieldsOf(node, definitions) !== undefined;
}

/** The properties of an object with plain bases, none of which comes twice; undefined if it is anything else. */
function fieldsOf(
  node: SchemaNode,
  definitions: Definitions,
  met: Set<string> = new Set(),
): readonly string[] | undefined {
  const { allOf = [], additionalProperties: rest } = node;
  const keywords = Object.keys(node).filter((keyword) => !isAnnotation(keyword));
  if (node.type !== "object" || keywords.some((keyword) => !OF_OBJECTS.includes(keyword))) return;
  if (typeof rest === "object" || (rest === false && allOf.length > 0)) return;
  const fields = new Set(Object.keys(node.properties ?? {}));
  let count = fields.size;
  for (const { $ref, ...more } of allOf) {
    if ($ref === undefined || met.has($ref) || Object.keys(more).length > 0) return;
    met.add($ref);
    const base = definitionOf($ref, definitions).node;
    const inherited = base.additionalProperties === undefined && fieldsOf(base, definitions, met);
    if (!inherited) return;
    for (const name of inherited) fields.add(name);
    count += inherited.length;
  }
  const isWhole = (node.required ?? []).every((name) => fields.has(name));
  return isWhole && count === fields.size ? [...fields] : undefined;
}
