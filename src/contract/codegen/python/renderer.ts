import type { ClassType, Namer, RenderContext, TargetLanguage } from "quicktype-core";
import { type Definition, definitionOf } from "../../schemas/definitions.js";
import { annotation, ClassCode } from "./classes.js";
import { definitionNameKind, isClass, type PythonModel, type RecordClass } from "./model.js";
import { docstring, moduleName, pythonName, snakeCase } from "./names.js";
import { PatternNames } from "./patterns.js";
import { funPrefixNamer, PythonRenderer } from "./quicktype.js";
import { ValueCode, type Writer } from "./values.js";

/** Names that a module may import: from the standard library, and from the runtime. */
const STANDARD: readonly Source[] = [
  ["dataclasses", "dataclass field"],
  ["typing", "Any Literal Mapping"],
];
const FROM_RUNTIME: readonly Source[] = [
  ["_faults", "Invalid WireError WireFault escape_token explain_version preview"],
  ["_formats", "is_date is_date_time is_time"],
  ["_record", "Record"],
  [
    "_values",
    "NO_FIELDS NO_ORDER UNSET JsonValue KeyOrder Unset in_key_order is_array is_integer is_literal_number is_number " +
      "is_object to_int",
  ],
];

type Source = readonly [module: string, names: string];

/** The imports of a module: those of all possible names that occur in its text. */
export function importLines(
  text: string,
  foreign: ReadonlyMap<string, readonly string[]>,
): string[] {
  const isUsed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);
  const linesOf = (sources: readonly Source[]): string[] =>
    sources
      .map(([module, names]) => ({ module, used: names.split(" ").filter(isUsed) }))
      .filter(({ used }) => used.length > 0)
      .map(({ module, used }) => `from ${module} import ${used.join(", ")}`);
  return [
    "from __future__ import annotations",
    "",
    ...(/\bre\./.test(text) ? ["import re"] : []),
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
  readonly schemaName: string;
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
    this.#values = new ValueCode({
      model: module.model,
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
    return funPrefixNamer("property", (name) =>
      // A field with the name of a class would hide the class from later annotations.
      this.#module.model.has(name) ? `${name}_` : pythonName(name),
    );
  }

  protected override emitSourceStructure(): void {
    const body = this.gatherSource(() => {
      for (const recordClass of this.#classes()) this.#emitClass(recordClass);
      this.ensureBlankLine(2);
      this.#emitAliases();
    });
    for (const line of this.#module.header) this.emitLine(line);
    this.ensureBlankLine();
    const code = this.sourcelikeToString(body);
    const majors = /\bMAJORS\b/.test(code) ? printMajors(this.#module.majors) : [];
    const constants = [...majors, ...this.#patterns.print()];
    const text = [...constants, code].join("\n");
    for (const line of importLines(text, this.#foreignNames())) this.emitLine(line);
    this.ensureBlankLine();
    for (const line of constants) this.emitLine(line);
    this.ensureBlankLine(2);
    this.emitGatheredSource(body);
  }

  #definitions(): Definition[] {
    const all = [...this.#module.model.values()];
    return all.filter(({ schema }) => schema.name === this.#module.schemaName);
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
    const { node } = definitionOf(name, this.#module.model);
    const names = new Map<string, string>();
    this.forEachClassProperty(type, "none", (fieldName, wireName) => {
      names.set(wireName, this.sourcelikeToString(fieldName));
    });
    const properties = Object.entries(node.properties ?? {});
    const required = new Set(node.required);
    return {
      name,
      description: node.description ?? name,
      fields: properties.map(([wireName, child]) => ({
        wireName,
        name: names.get(wireName) ?? pythonName(wireName),
        node: child,
        isRequired: required.has(wireName),
      })),
      isOpen: node.additionalProperties !== false,
    };
  }

  /** Aliases are evaluated when the module is loaded, so each one follows those that it refers to. */
  #emitAliases(): void {
    const pending = new Map(
      this.#definitions()
        .filter((each) => !isClass(each))
        .map((each) => [each.name, each]),
    );
    const emit = ({ name, node }: Definition): void => {
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

  #emitClass(recordClass: RecordClass): void {
    for (const { node } of recordClass.fields) this.#noteClasses(annotation(node));
    new ClassCode(this.#writer, this.#values).write(recordClass);
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
      const definition = definitionOf(name, this.#module.model);
      if (definition.schema.name === this.#module.schemaName) continue;
      const module = moduleName(definition.schema.name);
      const functions = [`collect_${snakeCase(name)}_faults`, `decode_${snakeCase(name)}`];
      const names = isClass(definition) ? [name, ...functions] : [name];
      modules.set(module, [...(modules.get(module) ?? []), ...names]);
    }
    return modules;
  }
}

function printMajors(majors: ReadonlyMap<string, number>): string[] {
  return [
    "MAJORS: Mapping[str, int] = {",
    ...[...majors].map(([name, major]) => `    "${name}": ${major},`),
    "}",
    docstring("The current major version of each schema."),
  ];
}

function wordsOf(type: string): string[] {
  return [...type.replace(/"(?:[^"\\]|\\.)*"/g, "").matchAll(/\b[A-Za-z]\w*\b/g)].map(
    ([word]) => word,
  );
}
