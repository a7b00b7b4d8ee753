import { type SchemaNode, typesOf } from "../../schemas/nodes.js";
import {
  type AddPattern,
  type Condition,
  literalFailures,
  typedConditions,
  typeFailure,
  typeTest,
} from "./conditions.js";
import { isClass, type PythonDefinition, type PythonModel, schemaNodeOf } from "./model.js";
import type { SchemaData } from "./schema-data.js";
import { isSimple } from "./simple.js";
import { convertContainer, encodedType, TypeDecoder } from "./typed-values.js";

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
  /** The schemas as data, for values that no code judges. */
  readonly data: SchemaData;
  /** Names the compiled form of an ECMAScript pattern. */
  readonly addPattern: AddPattern;
  /** Records that the module uses a class, so that it is imported. */
  useClass(name: string): void;
}

/**
 * Code for one value of a record: checks that stop at the first fault, and conversions between JSON and Python values. Values
 * with simple keywords are judged by conditions, others by their schema as data.
 */
export class ValueCode {
  readonly #context: ModuleContext;

  readonly #types: TypeDecoder;

  constructor(context: ModuleContext) {
    this.#context = context;
    this.#types = new TypeDecoder({
      model: context.model,
      nameOf: (part, at) => context.data.nameOf(schemaNodeOf(part), at),
      decoder: (definition) => this.decoderOf(definition, true),
    });
  }

  /** Writes the functions that the code of values calls. */
  writeFunctions(): void {
    for (const lines of this.#types.functions) {
      this.#context.writer.blank(2);
      for (const line of lines) this.#context.writer.line(line);
    }
  }

  /** Statements that raise Invalid if the JSON value in `variable` is invalid. `place` names it in the schema. */
  writeChecks(node: SchemaNode, variable: string, place: string): void {
    if (this.isSimple(node)) this.#writeConditions(node, variable, 0);
    else {
      const name = this.#context.data.nameOf(schemaNodeOf(node), place);
      this.#context.writer.line(`check(${name}, ${variable})`);
    }
  }

  #writeConditions(node: SchemaNode, variable: string, depth: number): void {
    const { writer } = this.#context;
    const target = this.#target(node);
    if (target.definition !== undefined) return; // checked by its decoder
    const type = typeFailure(target.node, variable);
    const typed = typedConditions(target.node, variable, this.#context.addPattern);
    const tests = [
      ...(type === undefined ? [] : [type]),
      // After the type check, a value of one type needs no guard.
      ...typed.map(typesOf(target.node).length === 1 ? ({ test }) => test : guardedTest),
      ...literalFailures(target.node, variable),
    ];
    if (tests.length > 0) {
      writer.block(`if ${joinTests(tests)}:`, () => writer.line("raise Invalid"));
    }
    for (const { child, type } of childrenOf(target.node)) {
      if (!this.hasChecks(child) || this.#target(child).definition !== undefined) continue;
      const item = `item${depth || ""}`;
      const values = type === "object" ? `${variable}.values()` : variable;
      this.#whenOfType(target.node, type, variable, () =>
        writer.block(`for ${item} in ${values}:`, () =>
          this.#writeConditions(child, item, depth + 1),
        ),
      );
    }
  }

  /** Whether code judges the values, and not their schema as data. */
  isSimple(node: SchemaNode): boolean {
    return isSimple(schemaNodeOf(node), this.#context.model);
  }

  /** The Python value of the checked JSON value in `variable`; `isJudged` if that includes the classes in it. */
  decoded(node: SchemaNode, variable: string, place: string, isJudged: boolean): string {
    if (!isJudged && this.isSimple(node)) return this.#decodedSimple(node, variable, 0);
    return this.#types.decoded(node, variable, place);
  }

  /** The name of the function that decodes a class; `isJudged` if its values are known to be valid. */
  decoderOf({ name, functionName, isJudged: isData }: PythonDefinition, isJudged: boolean): string {
    this.#context.useClass(name);
    return `${isData && isJudged ? "build" : "decode"}_${functionName}`;
  }

  #decodedSimple(node: SchemaNode, variable: string, depth: number): string {
    const target = this.#target(node);
    if (target.definition !== undefined) {
      return `${this.decoderOf(target.definition, false)}(${variable})`;
    }
    const types = typesOf(target.node);
    if (types.includes("integer") || types.includes("number")) {
      if (types.includes("number")) return variable;
      return `${variable} if type(${variable}) is int else to_int(${variable})`;
    }
    const [container] = childrenOf(target.node);
    if (container === undefined && !types.includes("array")) return variable;
    const item = `item${depth || ""}`;
    const inner =
      container === undefined ? item : this.#decodedSimple(container.child, item, depth + 1);
    const converted = convertContainer(container?.type ?? "array", variable, item, inner, "tuple");
    return guardConversion(target.node, container?.type ?? "array", variable, converted, true);
  }

  /** The JSON value of the Python value in `variable`. */
  encoded(node: SchemaNode, variable: string, depth = 0): string {
    if (!this.isSimple(node)) return encodedType(node, variable, this.#context.model);
    const target = this.#target(node);
    if (target.definition !== undefined) return `${variable}.to_dict()`;
    const [container] = childrenOf(target.node);
    if (container === undefined && !typesOf(target.node).includes("array")) return variable;
    const item = `item${depth || ""}`;
    const inner = container === undefined ? item : this.encoded(container.child, item, depth + 1);
    const converted = convertContainer(container?.type ?? "array", variable, item, inner, "list");
    return guardConversion(target.node, container?.type ?? "array", variable, converted, false);
  }

  /** Whether a value can violate `node`. */
  hasChecks(node: SchemaNode): boolean {
    const target = this.#target(node);
    return (
      target.definition !== undefined ||
      !this.isSimple(node) ||
      typeTest(target.node, "") !== undefined ||
      literalFailures(target.node, "").length > 0
    );
  }

  /** Follows `$ref` to a class, or to the node behind an alias. */
  #target(node: SchemaNode): { readonly definition?: PythonDefinition; readonly node: SchemaNode } {
    let current = node;
    const seen = new Set<string>();
    while (current.$ref !== undefined && !seen.has(current.$ref)) {
      seen.add(current.$ref);
      const definition = this.#context.model.at(current.$ref);
      if (isClass(definition)) return { definition, node: definition.node };
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

/** Leaves values of other types as they are. `isParsed`: the value is JSON, and not yet Python's. */
function guardConversion(
  node: SchemaNode,
  type: "array" | "object",
  variable: string,
  converted: string,
  isParsed: boolean,
): string {
  if (converted === variable || typesOf(node).length === 1) return converted;
  const container = type === "array" ? "(list, tuple)" : "dict";
  const test = isParsed ? `is_${type}(${variable})` : `isinstance(${variable}, ${container})`;
  return `${converted} if ${test} else ${variable}`;
}

function guardedTest({ appliesTo, test }: Condition): string {
  return appliesTo === undefined ? test : `${appliesTo} and ${test}`;
}

export function joinTests(tests: readonly string[]): string {
  return tests.map((test) => (/^(?!not \().* and /.test(test) ? `(${test})` : test)).join(" or ");
}
