import type { SourceSchema } from "../../schemas/definitions.js";
import { type Definition, definitionOf } from "../../schemas/definitions.js";
import { type SchemaNode, type TypeName, typesOf } from "../../schemas/nodes.js";
import { leavesFirst, refsOf } from "../definitions.js";
import { ownGenerator, pythonHeader } from "../file-header.js";
import {
  type Condition,
  conditionsOfType,
  literalConditions,
  typedConditions,
} from "../python/conditions.js";
import { isClass, type PythonModel } from "../python/model.js";
import { docstring, moduleName, pythonLiteral, pythonName, pythonString } from "../python/names.js";
import { PatternNames } from "../python/patterns.js";

/** Names that a module may import; those that it uses are imported. */
const SOURCES: readonly (readonly [module: string, names: readonly string[]])[] = [
  ["typing", ["Annotated", "Literal"]],
  ["pydantic", ["Field"]],
  ["rollout_wire._faults", ["preview"]],
  ["rollout_wire._formats", ["is_date", "is_date_time", "is_time"]],
  ["rollout_wire._values", ["is_literal_number"]],
  [
    "._base",
    [
      ...["Array", "Exactly", "Integer", "Keyword", "Number", "Opaque", "OrUnset", "WireModel"],
      "absent",
    ],
  ],
];

/** Attributes of pydantic's BaseModel that a field may not hide. */
const TAKEN = new Set(["copy", "dict", "json", "schema", "validate", "construct", "parse_obj"]);

const SCALARS: Readonly<Partial<Record<TypeName, string>>> = {
  string: "str",
  integer: "Integer",
  number: "Number",
  boolean: "bool",
  null: "None",
};

/**
 * Prints one module of pydantic models. The keywords are checked by the same expressions as in the dataclasses,
 * so that both give the same verdict in the same words.
 */
export class PydanticModule {
  readonly #model: PythonModel;
  readonly #schema: SourceSchema;
  readonly #patterns = new PatternNames();

  constructor(model: PythonModel, schema: SourceSchema) {
    this.#model = model;
    this.#schema = schema;
  }

  print(): string {
    const own = leavesFirst(this.#model).filter(({ schema }) => schema.name === this.#schema.name);
    const body = own.map((each) =>
      isClass(each) ? this.#printClass(each) : this.#printAlias(each),
    );
    const patterns = this.#patterns.print().map((line) => `${line}\n`);
    const text = [...patterns, ...body].join("\n\n");
    return [
      pythonHeader(ownGenerator(), [this.#schema])
        .map((line) => `${line}\n`)
        .join(""),
      this.#printImports(text, own),
      ...(patterns.length > 0 ? [patterns.join("")] : []),
      `\n${body.join("\n\n")}`,
    ].join("\n");
  }

  #printClass({ name, node }: Definition): string {
    const required = new Set(node.required);
    const bases = node.additionalProperties === false ? 'WireModel, extra="forbid"' : "WireModel";
    const fields = Object.entries(node.properties ?? {}).map(([wireName, child]) => {
      const field = this.#fieldName(wireName);
      const isRequired = required.has(wireName);
      const type = this.#annotation(child);
      const value = defaultOf(isRequired, field === wireName ? undefined : wireName);
      return `    ${field}: ${isRequired ? type : `OrUnset[${type}]`}${value}\n    ${docstring(child.description ?? wireName)}\n`;
    });
    return `class ${name}(${bases}):\n    ${docstring(node.description ?? name)}\n\n${fields.join("")}`;
  }

  #printAlias({ name, node }: Definition): string {
    return `${name} = ${this.#annotation(node)}\n${docstring(node.description ?? name)}\n`;
  }

  #fieldName(wireName: string): string {
    const name = pythonName(wireName).replace(/^_+/, "field_");
    const isTaken = TAKEN.has(name) || name.startsWith("model_") || this.#model.has(name);
    return isTaken ? `${name}_` : name;
  }

  /** The type of the values that `node` describes, with its keywords. */
  #annotation(node: SchemaNode): string {
    if (node.$ref !== undefined) return node.$ref;
    const literals = node.enum ?? (node.const === undefined ? undefined : [node.const]);
    if (literals !== undefined) return this.#literal(node, literals);
    const types = typesOf(node);
    if (types.length === 0) return "Opaque";
    const conditions = typedConditions(node, "value", (...pattern) =>
      this.#patterns.nameOf(...pattern),
    );
    return types
      .map((type) => {
        const keywords = conditionsOfType(conditions, type, "value").map((each) =>
          printKeyword("Keyword", each, node[each.keyword as keyof SchemaNode]),
        );
        const plain = this.#typeAnnotation(type, node);
        return keywords.length === 0 ? plain : `Annotated[${[plain, ...keywords].join(", ")}]`;
      })
      .join(" | ");
  }

  #typeAnnotation(type: TypeName, node: SchemaNode): string {
    if (type === "array") return `Array[${this.#annotation(node.items ?? {})}]`;
    if (type === "object") {
      const values = typeof node.additionalProperties === "object" ? node.additionalProperties : {};
      return `dict[str, ${this.#annotation(values)}]`;
    }
    return SCALARS[type] ?? "Opaque";
  }

  /** pydantic's own check of literals is JSON's for texts only. */
  #literal(node: SchemaNode, literals: readonly unknown[]): string {
    const plain = `Literal[${literals.map(pythonLiteral).join(", ")}]`;
    if (literals.every((each) => typeof each === "string")) return plain;
    const checks = literalConditions(node, "value").map((each) =>
      printKeyword("Exactly", each, node[each.keyword as keyof SchemaNode]),
    );
    return `Annotated[${[plain, ...checks].join(", ")}]`;
  }

  #printImports(text: string, own: readonly Definition[]): string {
    const code = text.replace(/^\s*""".*"""$/gm, "");
    const isUsed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(code);
    const foreign = new Map<string, string[]>();
    for (const name of new Set(own.flatMap(({ node }) => refsOf(node)))) {
      const { schema } = definitionOf(name, this.#model);
      if (schema.name === this.#schema.name) continue;
      const module = `.${moduleName(schema.name)}`;
      foreign.set(module, [...(foreign.get(module) ?? []), name]);
    }
    const lines = [...SOURCES, ...foreign]
      .map(([module, names]) => ({ module, used: names.filter(isUsed).sort() }))
      .filter(({ used }) => used.length > 0)
      .map(({ module, used }) => `from ${module} import ${used.join(", ")}\n`);
    const re = /\bre\./.test(code) ? "import re\n" : "";
    return `from __future__ import annotations\n\n${re}${lines.join("")}`;
  }
}

function defaultOf(isRequired: boolean, alias: string | undefined): string {
  if (alias === undefined) return isRequired ? "" : " = absent()";
  const name = `alias=${pythonString(alias)}`;
  return isRequired ? ` = Field(${name})` : ` = absent(${name})`;
}

function printKeyword(
  className: string,
  { keyword, test, message }: Condition,
  limit: unknown,
): string {
  return `${className}(${pythonString(keyword)}, ${pythonValue(limit)}, lambda value: ${test}, lambda value: ${message})`;
}

function pythonValue(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(pythonLiteral).join(", ")}]` : pythonLiteral(value);
}
