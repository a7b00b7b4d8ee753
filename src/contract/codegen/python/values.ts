import { definitionOf } from "../../schemas/definitions.js";
import { type SchemaNode, typesOf } from "../../schemas/nodes.js";
import {
  type AddPattern,
  type Condition,
  literalConditions,
  typeCondition,
  typedConditions,
  typeTest,
} from "./conditions.js";
import { isClass, type PythonModel } from "./model.js";
import { pythonString, snakeCase } from "./names.js";

/** Prints lines of Python. */
export interface Writer {
  line(code: string): void;
  block(head: string, body: () => void): void;
  /** Leaves at least `count` blank lines. */
  blank(count: number): void;
}

/** Shared by the printing of one module. */
export interface ModuleContext {
  readonly model: PythonModel;
  readonly writer: Writer;
  /** Names the compiled form of an ECMAScript pattern. */
  readonly addPattern: AddPattern;
  /** Records that the module uses a class, so that it is imported. */
  useClass(name: string): void;
}

/**
 * Code for one value of a record: checks that stop at the first fault, checks that collect all faults, and
 * conversions between JSON and Python values. All use the same traversal of the schema.
 */
export class ValueCode {
  readonly #context: ModuleContext;

  constructor(context: ModuleContext) {
    this.#context = context;
  }

  /** Statements that raise Invalid if the JSON value in `variable` is invalid. */
  writeChecks(node: SchemaNode, variable: string, depth = 0): void {
    const { writer } = this.#context;
    const target = this.#target(node);
    if (target.className !== undefined) return; // checked by its decoder
    const type = typeCondition(target.node, variable);
    const typed = typedConditions(target.node, variable, this.#context.addPattern);
    const tests = [
      ...(type === undefined ? [] : [type.test]),
      // After the type check, a value of one type needs no guard.
      ...typed.map(typesOf(target.node).length === 1 ? ({ test }) => test : guardedTest),
      ...literalConditions(target.node, variable).map(({ test }) => test),
    ];
    if (tests.length > 0) {
      writer.block(`if ${joinTests(tests)}:`, () => writer.line("raise Invalid"));
    }
    for (const { child, type } of childrenOf(target.node)) {
      if (!this.hasChecks(child) || this.#target(child).className !== undefined) continue;
      const item = `item${depth || ""}`;
      const values = type === "object" ? `${variable}.values()` : variable;
      this.#whenOfType(target.node, type, variable, () =>
        writer.block(`for ${item} in ${values}:`, () => this.writeChecks(child, item, depth + 1)),
      );
    }
  }

  /** Statements that append all faults of the JSON value in `variable` to `faults`. */
  writeFaults(node: SchemaNode, variable: string, pointer: string, depth = 0): void {
    const { writer } = this.#context;
    const target = this.#target(node);
    if (target.className !== undefined) {
      const name = `collect_${snakeCase(target.className)}_faults`;
      this.#context.useClass(target.className);
      writer.line(`${name}(${variable}, ${pointerString(pointer)}, faults)`);
      return;
    }
    const add = (condition: Condition): void =>
      writer.block(`if ${guardedTest(condition)}:`, () => writeFault(writer, condition, pointer));
    const type = typeCondition(target.node, variable);
    if (type !== undefined) add(type);
    typedConditions(target.node, variable, this.#context.addPattern).forEach(add);
    for (const { child, type: childType } of childrenOf(target.node)) {
      if (!this.hasChecks(child)) continue;
      writer.block(`if ${typeTest({ type: childType }, variable)}:`, () =>
        this.#writeChildFaults(child, childType, variable, pointer, depth),
      );
    }
    literalConditions(target.node, variable).forEach(add);
  }

  #writeChildFaults(
    child: SchemaNode,
    type: "array" | "object",
    variable: string,
    pointer: string,
    depth: number,
  ): void {
    const item = `item${depth || ""}`;
    const key = type === "array" ? `index${depth || ""}` : `key${depth || ""}`;
    const entries = type === "array" ? `enumerate(${variable})` : `${variable}.items()`;
    const token = type === "array" ? `{${key}}` : `{escape_token(${key})}`;
    this.#context.writer.block(`for ${key}, ${item} in ${entries}:`, () =>
      this.writeFaults(child, item, `${pointer}/${token}`, depth + 1),
    );
  }

  /** The Python value of the checked JSON value in `variable`. */
  decoded(node: SchemaNode, variable: string, depth = 0): string {
    const target = this.#target(node);
    if (target.className !== undefined) {
      this.#context.useClass(target.className);
      return `decode_${snakeCase(target.className)}(${variable})`;
    }
    const types = typesOf(target.node);
    if (types.includes("integer") || types.includes("number")) {
      if (types.includes("number")) return variable;
      return `${variable} if type(${variable}) is int else to_int(${variable})`;
    }
    const [container] = childrenOf(target.node);
    if (container === undefined && !types.includes("array")) return variable;
    const item = `item${depth || ""}`;
    const inner = container === undefined ? item : this.decoded(container.child, item, depth + 1);
    const converted = convertContainer(container?.type ?? "array", variable, item, inner, "tuple");
    return guardConversion(target.node, container?.type ?? "array", variable, converted);
  }

  /** The JSON value of the Python value in `variable`. */
  encoded(node: SchemaNode, variable: string, depth = 0): string {
    const target = this.#target(node);
    if (target.className !== undefined) return `${variable}.to_dict()`;
    const [container] = childrenOf(target.node);
    if (container === undefined && !typesOf(target.node).includes("array")) return variable;
    const item = `item${depth || ""}`;
    const inner = container === undefined ? item : this.encoded(container.child, item, depth + 1);
    const converted = convertContainer(container?.type ?? "array", variable, item, inner, "list");
    return guardConversion(target.node, container?.type ?? "array", variable, converted);
  }

  /** Whether a value can violate `node`. */
  hasChecks(node: SchemaNode): boolean {
    const target = this.#target(node);
    return (
      target.className !== undefined ||
      typeTest(target.node, "") !== undefined ||
      literalConditions(target.node, "").length > 0
    );
  }

  /** Follows `$ref` to a class, or to the node behind an alias. */
  #target(node: SchemaNode): { readonly className?: string; readonly node: SchemaNode } {
    let current = node;
    const seen = new Set<string>();
    while (current.$ref !== undefined && !seen.has(current.$ref)) {
      seen.add(current.$ref);
      const definition = definitionOf(current.$ref, this.#context.model);
      if (isClass(definition)) return { className: definition.name, node: definition.node };
      current = definition.node;
    }
    return { node: current };
  }

  #whenOfType(
    node: SchemaNode,
    type: "array" | "object",
    variable: string,
    body: () => void,
  ): void {
    if (typesOf(node).length === 1) body();
    else this.#context.writer.block(`if ${typeTest({ type }, variable)}:`, body);
  }
}

/** A statement that records a fault; `pointer` may contain `{expressions}`. */
export function writeFault(
  writer: Writer,
  { keyword, message }: Pick<Condition, "keyword" | "message">,
  pointer: string,
): void {
  writer.line(
    `faults.append(WireFault(${pointerString(pointer)}, ${pythonString(keyword)}, ${message}))`,
  );
}

/** A JSON Pointer below the variable `at`, as a Python f-string. */
function pointerString(pointer: string): string {
  return pointer === "" ? "at" : `f"{at}${pointer}"`;
}

/** A property's name as a JSON Pointer token in a Python f-string. */
export function pointerToken(name: string): string {
  const token = pythonString(name.replaceAll("~", "~0").replaceAll("/", "~1")).slice(1, -1);
  return token.replaceAll("{", "{{").replaceAll("}", "}}");
}

interface Child {
  readonly type: "array" | "object";
  readonly child: SchemaNode;
}

function childrenOf(node: SchemaNode): Child[] {
  const children: Child[] = [];
  if (node.items !== undefined) children.push({ type: "array", child: node.items });
  if (typeof node.additionalProperties === "object") {
    children.push({ type: "object", child: node.additionalProperties });
  }
  return children;
}

function convertContainer(
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

function guardConversion(
  node: SchemaNode,
  type: "array" | "object",
  variable: string,
  converted: string,
): string {
  if (converted === variable || typesOf(node).length === 1) return converted;
  const container = type === "array" ? "(list, tuple)" : "dict";
  return `${converted} if isinstance(${variable}, ${container}) else ${variable}`;
}

function guardedTest({ appliesTo, test }: Condition): string {
  return appliesTo === undefined ? test : `${appliesTo} and ${test}`;
}

function joinTests(tests: readonly string[]): string {
  return tests.map((test) => (/^(?!not \().* and /.test(test) ? `(${test})` : test)).join(" or ");
}
