import type { Definition, SourceSchema } from "../../schemas/definitions.js";
import { isClosed, type SchemaNode, type TypeName, typesOf } from "../../schemas/nodes.js";
import { refsOf } from "../definitions.js";
import { conditionsOfType, literalFailures, typedConditions } from "../python/conditions.js";
import {
  isClass,
  type PythonDefinition,
  type PythonModel,
  readerName,
  readersOf,
  schemaNodeOf,
} from "../python/model.js";
import {
  codeOf,
  docstring,
  fieldNames,
  moduleName,
  pythonLiteral,
  pythonString,
} from "../python/names.js";
import { PatternNames } from "../python/patterns.js";
import { partName, printNode } from "../python/schema-data.js";
import { isSimple } from "../python/simple.js";

/** Attributes of pydantic's BaseModel, and of its metaclass, that a field may not hide; those in `model_` apart. */
const TAKEN = new Set(
  (
    "construct copy dict from_orm json mro parse_file parse_obj parse_raw register schema schema_json " +
    "update_forward_refs validate"
  ).split(" "),
);

const SCALARS: Readonly<Partial<Record<TypeName, string>>> = {
  string: "str",
  integer: "Integer",
  number: "Number",
  boolean: "bool",
  null: "None",
};

/**
 * Prints one module of pydantic models. Simple keywords are checked by the same expressions as in the dataclasses, the others
 * by the schemas as data of the dataclasses' package, so that both give the same verdict in the same words.
 */
export class PydanticModule {
  readonly #model: PythonModel;
  readonly #ordered: readonly Definition[];
  readonly #schema: SourceSchema;
  /** Import name of the package with the dataclasses. */
  readonly #dataclasses: string;
  /** The first lines. */
  readonly #header: readonly string[];
  readonly #patterns = new PatternNames();

  /** `ordered`: the definitions of all modules, each after those that it refers to. */
  constructor(
    model: PythonModel,
    ordered: readonly Definition[],
    schema: SourceSchema,
    dataclasses: string,
    header: readonly string[],
  ) {
    this.#model = model;
    this.#ordered = ordered;
    this.#schema = schema;
    this.#dataclasses = dataclasses;
    this.#header = header;
  }

  print(): string {
    const own = this.#ordered.filter(({ schema }) => schema.name === this.#schema.name);
    const body = inOrder(own.map(({ name }) => this.#model.at(name))).map((each) =>
      isClass(each) ? this.#printClass(each) : this.#printAlias(each),
    );
    for (const each of readersOf(this.#model, this.#schema)) {
      const said = docstring(`Reads, writes and checks values of ${each.name}.`);
      const reader = this.#own("Reader");
      body.push(
        `${readerName(each)}: ${reader}[${each.name}] = ${reader}(${pythonString(each.name)}, ${each.name})\n${said}\n`,
      );
    }
    const patterns = this.#patterns.print().map((line) => `${line}\n`);
    const text = [...patterns, ...body].join("\n\n");
    return [
      this.#header.map((line) => `${line}\n`).join(""),
      this.#printImports(
        text,
        own.map(({ name }) => this.#model.at(name)),
      ),
      ...(patterns.length > 0 ? [patterns.join("")] : []),
      `\n${body.join("\n\n")}`,
    ].join("\n");
  }

  #printClass({ name, node, isJudged }: PythonDefinition): string {
    const required = new Set(node.required);
    const base = this.#own("WireModel");
    const bases = isClosed(node) ? `${base}, extra="forbid"` : base;
    const properties = Object.entries(node.properties ?? {});
    const names = fieldNames(
      properties.map(([wireName]) => wireName),
      { has: (each) => this.#model.has(each) },
      modelFieldName,
    );
    const fields = properties.map(([wireName, child], at) => {
      const field = names[at] ?? wireName;
      const isRequired = required.has(wireName);
      const type = isJudged ? this.#type(child) : this.#checked(child, `${name}.${wireName}`);
      const value = this.#default(isRequired, field === wireName ? undefined : wireName);
      const optional = isRequired ? type : `${this.#own("OrUnset")}[${type}]`;
      return `    ${field}: ${optional}${value}\n    ${docstring(child.description ?? wireName)}\n`;
    });
    const judged = isJudged ? `    _judged = judged(${pythonString(name)})\n\n` : "";
    return `class ${name}(${bases}):\n    ${docstring(node.description ?? name)}\n\n${judged}${fields.join("")}`;
  }

  #printAlias({ name, node }: PythonDefinition): string {
    return `${name} = ${this.#checked(node, name)}\n${docstring(node.description ?? name)}\n`;
  }

  /** The type of the values that the schema of `node` accepts; `place` names it in the schema. */
  #checked(node: SchemaNode, place: string): string {
    if (isSimple(schemaNodeOf(node), this.#model)) return this.#simple(node);
    const name = partName(schemaNodeOf(node), place, this.#model);
    return `${this.#own("Annotated")}[${this.#type(node)}, ${this.#own("Judged")}(${name})]`;
  }

  #simple(node: SchemaNode): string {
    if (node.$ref !== undefined) return node.$ref;
    const literals = node.enum ?? (node.const === undefined ? undefined : [node.const]);
    if (literals !== undefined) return this.#literal(node, literals);
    const types = typesOf(node);
    if (types.length === 0) return this.#own("Opaque");
    const conditions = typedConditions(node, "value", (...pattern) =>
      this.#patterns.nameOf(...pattern),
    );
    return types
      .map((type) => {
        const keywords = conditionsOfType(conditions, type, "value");
        const plain = this.#typeAnnotation(type, node, (child) => this.#simple(child));
        if (keywords.length === 0) return plain;
        const tests = keywords.map(({ test }) => test);
        const check = this.#keyword(
          "Keyword",
          node,
          keywords.map(({ keyword }) => keyword),
          tests,
        );
        return `${this.#own("Annotated")}[${plain}, ${check}]`;
      })
      .join(" | ");
  }

  /** The type alone, for values that are judged as a part of something. */
  #type(node: SchemaNode): string {
    if (node.$ref !== undefined) return node.$ref;
    const literals = node.enum ?? (node.const === undefined ? undefined : [node.const]);
    if (literals !== undefined) return this.#own("Opaque");
    if (node.anyOf !== undefined) {
      const members = [...new Set(node.anyOf.map((member) => this.#type(member)))];
      if (members.length === 1) return members[0] ?? "";
      const order = `${this.#own("InOrder")}()`;
      return `${this.#own("Annotated")}[${members.join(" | ")}, ${order}]`;
    }
    const types = typesOf(node);
    if (types.length === 0) return this.#own("Opaque");
    return types
      .map((type) => this.#typeAnnotation(type, node, (each) => this.#type(each)))
      .join(" | ");
  }

  #typeAnnotation(type: TypeName, node: SchemaNode, print: (child: SchemaNode) => string): string {
    if (type === "array") {
      const items = [...(node.prefixItems ?? []), node.items ?? {}].map(print);
      return `${this.#own("Array")}[${[...new Set(items)].join(" | ")}]`;
    }
    if (type !== "object") return this.#own(SCALARS[type] ?? "Opaque");
    const { additionalProperties: values, properties, patternProperties } = node;
    const isMap = typeof values === "object" && !properties && !patternProperties;
    return `dict[str, ${print(isMap ? values : {})}]`;
  }

  /** pydantic's own check of literals is JSON's for texts only. */
  #literal(node: SchemaNode, literals: readonly unknown[]): string {
    const plain = `${this.#own("Literal")}[${literals.map(pythonLiteral).join(", ")}]`;
    if (literals.every((each) => typeof each === "string")) return plain;
    const check = this.#keyword("Exactly", node, ["enum", "const"], literalFailures(node, "value"));
    return `${this.#own("Annotated")}[${plain}, ${check}]`;
  }

  #keyword(
    className: string,
    node: SchemaNode,
    keywords: readonly string[],
    tests: readonly string[],
  ): string {
    const part = Object.fromEntries(
      Object.entries(node).filter(([each]) => keywords.includes(each)),
    );
    const fails = tests.length === 1 ? tests[0] : tests.map((test) => `(${test})`).join(" or ");
    return `${this.#own(className)}(${printNode(part, this.#patterns)}, lambda value: ${fails})`;
  }

  #default(isRequired: boolean, alias: string | undefined): string {
    if (alias === undefined) return isRequired ? "" : " = absent()";
    const name = `alias=${pythonString(alias)}`;
    return isRequired ? ` = ${this.#own("Field")}(${name})` : ` = absent(${name})`;
  }

  /** How the module calls what it imports: a definition may have the same name. */
  #own(name: string): string {
    return this.#model.has(name) ? `_${name}` : name;
  }

  #printImports(text: string, own: readonly PythonDefinition[]): string {
    const code = codeOf(text);
    const isUsed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(code);
    const foreign = new Map<string, string[]>();
    for (const name of new Set(own.flatMap(({ node }) => refsOf(node)))) {
      const { schema } = this.#model.at(name);
      if (schema.name === this.#schema.name) continue;
      const module = `.${moduleName(schema.name)}`;
      foreign.set(module, [...(foreign.get(module) ?? []), name]);
    }
    const lines = [
      ...this.#sources().map(([module, names]) => ({
        module,
        used: names
          .filter((name) => isUsed(this.#own(name)))
          .map((name) => (this.#model.has(name) ? `${name} as _${name}` : name)),
      })),
      ...[...foreign].map(([module, names]) => ({ module, used: names.filter(isUsed) })),
    ]
      .filter(({ used }) => used.length > 0)
      .map(({ module, used }) => `from ${module} import ${used.sort().join(", ")}\n`);
    const re = /\bre\./.test(code) ? "import re\n" : "";
    return `from __future__ import annotations\n\n${re}${lines.join("")}`;
  }

  /** Names that a module may import; those that it uses are imported. */
  #sources(): readonly (readonly [module: string, names: readonly string[]])[] {
    const types = [
      "Array",
      "Exactly",
      "InOrder",
      "Integer",
      "Judged",
      "Keyword",
      "Number",
      "Opaque",
      "Reader",
    ];
    return [
      ["typing", ["Annotated", "Literal"]],
      ["pydantic", ["Field"]],
      [`${this.#dataclasses}._formats`, ["is_date", "is_date_time", "is_time"]],
      [`${this.#dataclasses}._values`, ["is_literal_number"]],
      ["._base", [...types, "OrUnset", "WireModel", "absent", "judged"]],
    ];
  }
}

function modelFieldName(name: string): string {
  const plain = name.replace(/^_+/, "field_");
  return TAKEN.has(plain) || plain.startsWith("model_") ? `${plain}_` : plain;
}

/** Aliases are evaluated when the module is loaded, so each one follows the classes that it refers to. */
function inOrder(definitions: readonly PythonDefinition[]): PythonDefinition[] {
  const waiting = new Map(definitions.map((each) => [each.name, each]));
  const ordered: PythonDefinition[] = [];
  for (let count = -1; ordered.length > count; ) {
    count = ordered.length;
    for (const each of waiting.values()) {
      if (!isClass(each) && refsOf(each.node).some((name) => waiting.has(name))) continue;
      waiting.delete(each.name);
      ordered.push(each);
    }
  }
  return [...ordered, ...waiting.values()];
}
