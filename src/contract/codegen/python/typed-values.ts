import { isAnnotation } from "../../schemas/keywords.js";
import { type SchemaNode, typesOf } from "../../schemas/nodes.js";
import { isClass, type PythonDefinition, type PythonModel, schemaNodeOf } from "./model.js";

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

/** A type whose code is longer has a function of its own, so that code does not grow with the number of paths to it. */
const MAX_INLINE = 500;

/** Prints expressions that decode valid JSON values of any type, for one module. */
export class TypeDecoder {
  readonly #context: DecodeContext;
  readonly #aliases = new Map<string, { readonly kinds: Decoded; readonly code: string }>();

  constructor(context: DecodeContext) {
    this.#context = context;
  }

  /** The functions that the expressions call, as lines. */
  get functions(): string[][] {
    const long = [...this.#aliases].filter(([, { code }]) => code.length > MAX_INLINE);
    return long.map(([name, { code }]) => [
      `def ${this.#functionOf(name)}(value: Any) -> Any:`,
      `    return ${code}`,
    ]);
  }

  #functionOf(name: string): string {
    return `_as_${this.#context.model.at(name).functionName}`;
  }

  /** The Python value of the valid JSON value in `variable`. `place` names it in the schema. */
  decoded(node: SchemaNode, variable: string, place: string, depth = 0): string {
    return this.#print(node, variable, this.#kinds(node, variable, place, depth, []));
  }

  #print(node: SchemaNode, variable: string, kinds: Decoded): string {
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
      const { kinds, code } = this.#aliasOf(node.$ref, definition.node, seen);
      if (code.length > MAX_INLINE) {
        const call = `${this.#functionOf(node.$ref)}(${variable})`;
        return Object.fromEntries(Object.keys(kinds).map((kind) => [kind, call]));
      }
      return this.#kinds(definition.node, variable, place, depth, [...seen, node.$ref]);
    }
    if (node.anyOf !== undefined) return this.#union(node, variable, place, depth, seen);
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

  #aliasOf(
    name: string,
    node: SchemaNode,
    seen: readonly string[],
  ): { readonly kinds: Decoded; readonly code: string } {
    const known = this.#aliases.get(name);
    if (known !== undefined) return known;
    const kinds = this.#kinds(node, "value", name, 0, [...seen, name]);
    const alias = { kinds, code: this.#print(node, "value", kinds) };
    this.#aliases.set(name, alias);
    return alias;
  }

  #union(
    node: SchemaNode,
    variable: string,
    place: string,
    depth: number,
    seen: readonly string[],
  ): Decoded {
    const inner = `item${depth || ""}`;
    const members = this.#membersOf(node, place).map(([member, at]) => ({
      member,
      at,
      codes: this.#kinds(member, inner, at, depth + 1, seen),
    }));
    const kinds: Partial<Record<Kind, string>> = {};
    for (const kind of ["object", "array", "number"] as const) {
      const found = members.filter(({ codes }) => codes[kind] !== undefined);
      const codes = new Set(found.map((each) => each.codes[kind] ?? inner));
      const [first] = found;
      if (first === undefined) continue;
      if (codes.size === 1) {
        kinds[kind] = this.#kinds(first.member, variable, first.at, depth, seen)[kind] ?? variable;
      } else if (kind === "number") kinds[kind] = variable;
      else {
        const pairs = found.map(({ member, at, codes: { [kind]: code = inner } }) => {
          return `(${this.#context.nameOf(member, at)}, ${lambda(code, inner)})`;
        });
        kinds[kind] = `first_of(${[variable, ...pairs].join(", ")})`;
      }
    }
    return kinds;
  }

  /** The members of a union, and in place of unions among them their members; each once, with its place. */
  #membersOf(
    { anyOf = [] }: SchemaNode,
    place: string,
    met: Set<string> = new Set(),
  ): [SchemaNode, string][] {
    return anyOf.flatMap((member, index): [SchemaNode, string][] => {
      const at = `${place}/anyOf/${index}`;
      const { $ref } = member;
      if ($ref === undefined) {
        return isUnion(schemaNodeOf(member)) ? this.#membersOf(member, at, met) : [[member, at]];
      }
      if (met.has($ref)) return [];
      met.add($ref);
      const { node, schemaNode } = this.#context.model.at($ref);
      return isUnion(schemaNode) ? this.#membersOf(node, $ref, met) : [[member, at]];
    });
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

/** Whether a schema says no more than that one of several applies, and of which type values are. */
function isUnion(node: SchemaNode): boolean {
  const keywords = Object.keys(node).filter((each) => !isAnnotation(each) && each !== "type");
  return keywords.length === 1 && (node.anyOf ?? node.oneOf) !== undefined;
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
  met: Set<string> = new Set(),
): boolean {
  if (node.$ref !== undefined) {
    if (met.has(node.$ref)) return false;
    met.add(node.$ref);
    const definition = model.at(node.$ref);
    return isClass(definition) || needsEncoding(definition.node, model, met);
  }
  const { additionalProperties: values } = node;
  return (
    typesOf(node).includes("array") ||
    (node.anyOf ?? []).some((member) => needsEncoding(member, model, met)) ||
    (typeof values === "object" && needsEncoding(values, model, met))
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
