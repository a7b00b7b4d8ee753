import type { ClassType, Namer, RenderContext, Sourcelike, TargetLanguage } from "quicktype-core";
import type { SourceSchema } from "../../schemas/definitions.js";
import { isClosed } from "../../schemas/nodes.js";
import { annotation, ClassCode } from "./classes.js";
import {
  definitionNameKind,
  isClass,
  type PythonDefinition,
  type PythonModel,
  type RecordClass,
  readerName,
  readersOf,
} from "./model.js";
import { codeOf, docstring, fieldNames, moduleName, pythonString } from "./names.js";
import { PatternNames } from "./patterns.js";
import { funPrefixNamer, PythonRenderer } from "./quicktype.js";
import { SchemaData } from "./schema-data.js";
import { ValueCode, type Writer } from "./values.js";

/** Names that a module may import: from the standard library, and from the runtime. */
const STANDARD: readonly Source[] = [
  ["dataclasses", "dataclass field"],
  ["typing", "TYPE_CHECKING Any Literal Mapping"],
];
const FROM_RUNTIME: readonly Source[] = [
  ["_check", "check find_faults"],
  ["_decode", "as_it_is decode_items first_of"],
  ["_faults", "Invalid WireFault"],
  ["_fields", "code_of"],
  ["_formats", "is_date is_date_time is_time"],
  ["_reader", "Reader"],
  ["_record", "Record to_plain"],
  ["_schemas", "define"],
  [
    "_values",
    "NO_FIELDS NO_ORDER UNSET JsonValue KeyOrder Unset in_key_order is_array is_integer is_literal_number is_number " +
      "is_object to_int",
  ],
];

type Source = readonly [module: string, names: string];

/** The imports of a module or of a part of it: those of all possible names that occur in its text. */
export function importLines(
  text: string,
  foreign: ReadonlyMap<string, readonly string[]>,
): string[] {
  const code = codeOf(text);
  const isUsed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(code);
  const linesOf = (sources: readonly Source[]): string[] =>
    sources
      .map(([module, names]) => ({ module, used: names.split(" ").filter(isUsed) }))
      .filter(({ used }) => used.length > 0)
      .map(({ module, used }) => `from ${module} import ${used.join(", ")}`);
  return [
    ...(/\bre\./.test(code) ? ["import re"] : []),
    ...linesOf(STANDARD),
    "",
    ...linesOf(
      [
        ...FROM_RUNTIME,
        ...[...foreign].map(([module, names]) => [module, names.join(" ")] as const),
      ].map(([module, names]) => [`.${module}`, names]),
    ),
  ];
}

/** What to print: all definitions, and the schema whose definitions become the module. */
export interface PythonModule {
  readonly model: PythonModel;
  readonly schema: SourceSchema;
  /** The first lines of the module. */
  readonly header: readonly string[];
  /** The current major version of each schema, by its name: for what is wrong with another version. */
  readonly majors: ReadonlyMap<string, number>;
}

/**
 * Prints one module of frozen dataclasses that validate their input.
 *
 * Classes, names and layout come from quicktype's graph. The checks come from the schema itself, because the
 * graph lacks constants, bounds and closed objects.
 */
export class WirePythonRenderer extends PythonRenderer {
  readonly #module: PythonModule;
  readonly #patterns = new PatternNames();
  readonly #usedClasses = new Set<string>();
  readonly #data: SchemaData;
  readonly #values: ValueCode;
  readonly #writer: Writer = {
    line: (code) => this.emitLine(code),
    block: (head, body) => this.emitBlock(head, body),
    blank: (count) => this.ensureBlankLine(count),
  };

  constructor(
    language: TargetLanguage,
    context: RenderContext,
    options: ConstructorParameters<typeof PythonRenderer>[2],
    module: PythonModule,
  ) {
    super(language, context, options);
    this.#module = module;
    this.#data = new SchemaData(module.model, this.#patterns);
    this.#values = new ValueCode({
      model: module.model,
      data: this.#data,
      writer: this.#writer,
      addPattern: (pattern, ignoreCase) => this.#patterns.nameOf(pattern, ignoreCase),
      useClass: (name) => {
        this.#usedClasses.add(name);
      },
    });
  }

  protected override makeNamedTypeNamer(): Namer {
    return funPrefixNamer("type", (name) => name);
  }

  protected override namerForObjectProperty(): Namer {
    return funPrefixNamer("property", (name) => name);
  }

  protected override emitSourceStructure(): void {
    const { isLarge } = this.#module.model;
    const classes = this.#classes();
    const readers = readersOf(this.#module.model, this.#module.schema);
    const code = new ClassCode(this.#writer, this.#values);
    const body = this.gatherSource(() => {
      for (const each of classes) {
        for (const { node } of each.fields) this.#noteClasses(annotation(node));
        if (isLarge) code.writeType(each);
        else code.write(each);
      }
      this.ensureBlankLine(2);
      this.#emitAliases();
      for (const each of readers) this.#emitReader(each, isLarge);
      this.#values.writeFunctions();
    });
    for (const line of this.#module.header) this.emitLine(line);
    this.ensureBlankLine();
    this.emitLine("from __future__ import annotations");
    this.ensureBlankLine();
    if (!isLarge) {
      this.#emitPart(body, { hasSchemas: true });
      return;
    }
    const hidden = this.gatherSource(() => {
      for (const each of classes) code.writeCode(each);
      for (const each of readers) this.emitLine(`${readerName(each)} = ${this.#readerOf(each)}`);
      this.#values.writeFunctions();
    });
    this.#emitPart(body, { uses: "TYPE_CHECKING" });
    this.emitLine("# Type checkers need the classes alone.");
    this.emitBlock("if not TYPE_CHECKING:", () => this.#emitPart(hidden, { hasSchemas: true }));
  }

  /** Emits a part with the imports of what it `uses`; with the schemas come the patterns, which they use, too. */
  #emitPart(body: Sourcelike[], { uses = "", hasSchemas = false }): void {
    const schemas = hasSchemas ? this.#printSchemas() : [];
    const constants = hasSchemas ? this.#patterns.print() : [];
    const text = [uses, ...constants, this.sourcelikeToString(body), ...schemas].join("\n");
    for (const line of importLines(text, this.#foreignNames())) {
      if (line === "") this.ensureBlankLine();
      else this.emitLine(line);
    }
    this.ensureBlankLine();
    for (const line of constants) this.emitLine(line);
    this.ensureBlankLine(2);
    this.emitGatheredSource(body);
    this.ensureBlankLine(2);
    for (const line of schemas) this.emitLine(line);
  }

  /** The schemas as data. Only those that have such a version need to know the major versions. */
  #printSchemas(): string[] {
    const schemas = this.#data.print(this.#definitions());
    const hasVersion = schemas.some((line) => /"const": "[^"/]+\/v\d+"/.test(line));
    const majors = hasVersion ? [...this.#module.majors] : [];
    const known = majors.map(([name, major]) => `${pythonString(name)}: ${major}`);
    const argument = known.length > 0 ? `, {${known.join(", ")}}` : "";
    return [...schemas, "", "", `define(_schemas${argument})`];
  }

  #definitions(): PythonDefinition[] {
    const all = [...this.#module.model.values()];
    return all.filter(({ schema }) => schema.name === this.#module.schema.name);
  }

  /** The graph's classes that belong to this module, in the order of the schema. */
  #classes(): RecordClass[] {
    const byName = new Map<string, RecordClass>();
    this.forEachObject("none", (type: ClassType) => {
      const name = definitionNameKind.tryGetInAttributes(type.getAttributes());
      if (name !== undefined) byName.set(name, this.#toRecordClass(type, name));
    });
    return this.#definitions()
      .filter(isClass)
      .map(({ name }) => byName.get(name))
      .filter((recordClass) => recordClass !== undefined);
  }

  #toRecordClass(type: ClassType, name: string): RecordClass {
    const { node, functionName, isJudged } = this.#module.model.at(name);
    const printed = new Map<string, string>();
    this.forEachClassProperty(type, "none", (fieldName, given) => {
      printed.set(given, this.sourcelikeToString(fieldName));
    });
    const wireNames = Object.keys(node.properties ?? {});
    const names = fieldNames(wireNames, this.#module.model);
    const required = new Set(node.required);
    return {
      name,
      functionName,
      isJudged,
      description: node.description ?? name,
      fields: Object.entries(node.properties ?? {}).map(([wireName, child], at) => ({
        wireName,
        name: printed.get(names[at] ?? "") ?? wireName,
        node: child,
        isRequired: required.has(wireName),
      })),
      isOpen: !isClosed(node),
    };
  }

  /** Aliases are evaluated when the module is loaded, so each one follows those that it refers to. */
  #emitAliases(): void {
    const pending = new Map(
      this.#definitions()
        .filter((each) => !isClass(each))
        .map((each) => [each.name, each]),
    );
    const emit = ({ name, node }: PythonDefinition): void => {
      pending.delete(name);
      const type = annotation(node);
      for (const word of wordsOf(type)) {
        const other = pending.get(word);
        if (other !== undefined) emit(other);
      }
      this.#noteClasses(type);
      this.emitLine(`${name} = ${type}`);
      this.emitLine(docstring(node.description ?? name));
    };
    for (const definition of [...pending.values()])
      if (pending.has(definition.name)) emit(definition);
  }

  /** What reads the values of a definition that is no class; `isDeclared` alone, its value follows. */
  #emitReader(definition: PythonDefinition, isDeclared: boolean): void {
    const { name } = definition;
    const value = isDeclared ? "" : ` = ${this.#readerOf(definition)}`;
    this.ensureBlankLine();
    this.emitLine(`${readerName({ name })}: Reader[${name}]${value}`);
    this.emitLine(docstring(`Reads, writes and checks values of ${name}.`));
  }

  #readerOf({ name, node }: PythonDefinition): string {
    const value = this.#values.decoded(node, "value", name, true);
    const decode = value === "value" ? "as_it_is" : `lambda value: ${value}`;
    return `Reader(${pythonString(name)}, ${decode})`;
  }

  #noteClasses(type: string): void {
    for (const word of wordsOf(type)) {
      if (this.#module.model.has(word)) this.#usedClasses.add(word);
    }
  }

  /** Names that this module imports from the modules of other schemas. */
  #foreignNames(): Map<string, string[]> {
    const modules = new Map<string, string[]>();
    for (const name of [...this.#usedClasses].sort()) {
      const definition = this.#module.model.at(name);
      if (definition.schema.name === this.#module.schema.name) continue;
      const module = moduleName(definition.schema.name);
      const verbs = definition.isJudged ? ["build", "decode"] : ["decode"];
      const functions = verbs.map((verb) => `${verb}_${definition.functionName}`);
      const names = isClass(definition) ? [name, ...functions] : [name];
      modules.set(module, [...(modules.get(module) ?? []), ...names]);
    }
    return modules;
  }
}

function wordsOf(type: string): string[] {
  return [...type.replace(/"(?:[^"\\]|\\.)*"/g, "").matchAll(/\b[A-Za-z]\w*\b/g)].map(
    ([word]) => word,
  );
}
