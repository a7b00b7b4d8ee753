import { type SchemaNode, typesOf } from "../../schemas/nodes.js";
import { isClass, type PythonDefinition, type PythonModel } from "./model.js";

/** JSON types whose Python values may differ from the parsed ones. */
type Kind = "array" | "object" | "number";

/** For each kind of value that a type has: the Python value as an expression, which is the variable if they are the same. */
type Decoded = Readonly<Partial<Record<Kind, string>>>;

export interface DecodeContext {
  readonly model: PythonModel;
  /** The name of a part's schema, as Python code. */
  nameOf(part: SchemaNode, place: string): string;
  /** The function that decodes a valid value of a class. */
  decoder(definition: PythonDefinition): string;
}

/** The Python value of the valid JSON value in `variable`, for any type. `place` names it in the schema. */
export function decodedType(
  node: SchemaNode,
  variable: string,
  place: string,
  context: DecodeContext,
): string {
  return new TypeDecoder(context).decoded(node, variable, place, 0);
}

class TypeDecoder {
  readonly #context: DecodeContext;

  constructor(context: DecodeContext) {
    this.#context = context;
  }

  decoded(node: SchemaNode, variable: string, place: string, depth: number): string {
    const kinds = this.#kinds(node, variable, place, depth, []);
    const { object = variable, array = variable, number = variable } = kinds;
    if (hasOneType(node, this.#context.model)) {
      const only = [object, array, number].find((each) => each !== variable);
      return only ?? variable;
    }
    const tests = [
      ...(object === variable ? [] : [`${object} if is_object(${variable}) else `]),
      ...(array === variable ? [] : [`${array} if is_array(${variable}) else `]),
    ];
    return `${tests.join("")}${number}`;
  }

  #kinds(
    node: SchemaNode,
    variable: string,
    place: string,
    depth: number,
    seen: readonly string[],
  ): Decoded {
    const same = { array: variable, object: variable, number: variable };
    if (node.$ref !== undefined) {
      const definition = this.#context.model.at(node.$ref);
      if (isClass(definition)) {
        return { object: `${this.#context.decoder(definition)}(${variable})` };
      }
      if (seen.includes(node.$ref)) return same;
      return this.#kinds(definition.node, variable, place, depth, [...seen, node.$ref]);
    }
    if (node.anyOf !== undefined) return this.#union(node.anyOf, variable, place, depth, seen);
    if (node.enum !== undefined || node.const !== undefined) return same;
    const types = typesOf(node);
    if (types.length === 0) return same;
    return {
      ...(types.includes("array") && { array: this.#array(node, variable, place, depth) }),
      ...(types.includes("object") && { object: this.#map(node, variable, place, depth) }),
      ...(types.includes("integer") && { number: `to_int(${variable})` }),
      ...(types.includes("number") && { number: variable }),
    };
  }

  #union(
    members: readonly SchemaNode[],
    variable: string,
    place: string,
    depth: number,
    seen: readonly string[],
  ): Decoded {
    const inner = `item${depth || ""}`;
    const kinds: Partial<Record<Kind, string>> = {};
    for (const kind of ["object", "array", "number"] as const) {
      const found = members
        .map((member, at) => ({ member, at: `${place}/anyOf/${at}` }))
        .map(({ member, at }) => ({
          name: (): string => this.#context.nameOf(member, at),
          code: this.#kinds(member, inner, at, depth + 1, seen)[kind],
          inPlace: () => this.#kinds(member, variable, at, depth, seen)[kind],
        }))
        .filter(({ code }) => code !== undefined);
      const codes = new Set(found.map(({ code = inner }) => code));
      if (codes.size === 0) continue;
      if (codes.size === 1) {
        kinds[kind] = found[0]?.inPlace() ?? variable;
      } else if (kind === "number") kinds[kind] = variable;
      else {
        const pairs = found.map(({ name, code = inner }) => `(${name()}, ${lambda(code, inner)})`);
        kinds[kind] = `first_of(${[variable, ...pairs].join(", ")})`;
      }
    }
    return kinds;
  }

  #array(node: SchemaNode, variable: string, place: string, depth: number): string {
    const item = `item${depth || ""}`;
    const decode = (child: SchemaNode | undefined, at: string): string =>
      child === undefined ? item : this.decoded(child, item, `${place}/${at}`, depth + 1);
    const rest = decode(node.items, "items");
    const prefix = (node.prefixItems ?? []).map((child, at) => decode(child, `prefixItems/${at}`));
    if (prefix.every((code) => code === rest)) {
      return convertContainer("array", variable, item, rest, "tuple");
    }
    const first = prefix.map((code) => `${lambda(code, item)}, `).join("");
    return `decode_items(${variable}, (${first}), ${lambda(rest, item)})`;
  }

  #map(node: SchemaNode, variable: string, place: string, depth: number): string {
    const { additionalProperties: values } = node;
    if (typeof values !== "object" || node.properties !== undefined) return variable;
    // Keys that a pattern matches may have other values.
    if (node.patternProperties !== undefined) return variable;
    const item = `item${depth || ""}`;
    const inner = this.decoded(values, item, `${place}/additionalProperties`, depth + 1);
    return inner === item ? variable : convertContainer("object", variable, item, inner, "tuple");
  }
}

function lambda(code: string, item: string): string {
  if (code === item) return "as_it_is";
  const call = /^(\w+)\((\w+)\)$/.exec(code);
  return call?.[2] === item ? (call[1] ?? "") : `lambda ${item}: ${code}`;
}

/** Whether all values have one JSON type, whose expression needs no test. */
function hasOneType(node: SchemaNode, model: PythonModel, seen: readonly string[] = []): boolean {
  if (node.$ref !== undefined) {
    const definition = model.at(node.$ref);
    if (isClass(definition)) return true;
    return !seen.includes(node.$ref) && hasOneType(definition.node, model, [...seen, node.$ref]);
  }
  return typesOf(node).length === 1;
}

/** The JSON value of the Python value in `variable`, for any type. */
export function encodedType(node: SchemaNode, variable: string, model: PythonModel): string {
  return needsEncoding(node, model) ? `to_plain(${variable})` : variable;
}

/** Whether Python has another value than JSON: a record, or a tuple. */
export function needsEncoding(
  node: SchemaNode,
  model: PythonModel,
  seen: readonly string[] = [],
): boolean {
  if (node.$ref !== undefined) {
    if (seen.includes(node.$ref)) return false;
    const definition = model.at(node.$ref);
    return isClass(definition) || needsEncoding(definition.node, model, [...seen, node.$ref]);
  }
  const { additionalProperties: values } = node;
  return (
    typesOf(node).includes("array") ||
    (node.anyOf ?? []).some((member) => needsEncoding(member, model, seen)) ||
    (typeof values === "object" && needsEncoding(values, model, seen))
  );
}

/** A container with the values that `inner` says of each `item`. */
export function convertContainer(
  type: "array" | "object",
  variable: string,
  item: string,
  inner: string,
  sequence: "tuple" | "list",
): string {
  if (type === "object") {
    if (inner === item) return `dict(${variable})`;
    return `{key: ${inner} for key, ${item} in ${variable}.items()}`;
  }
  if (inner === item) return `${sequence}(${variable})`;
  const call = /^(\w+)\((\w+)\)$/.exec(inner);
  if (call?.[2] === item) return `${sequence}(map(${call[1]}, ${variable}))`;
  const list = `[${inner} for ${item} in ${variable}]`;
  return sequence === "list" ? list : `tuple(${list})`;
}
