import { type SchemaNode, type TypeName, typesOf } from "../../schemas/nodes.js";
import type { Field, RecordClass } from "./model.js";
import { docstring, pythonLiteral, pythonString } from "./names.js";
import type { ValueCode, Writer } from "./values.js";

const SCALARS: Readonly<Partial<Record<TypeName, string>>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

/** More are as good as their type. */
const MAX_LITERALS = 100;

/** The Python type of the values that `node` describes. */
export function annotation(node: SchemaNode): string {
  if (node.$ref !== undefined) return node.$ref;
  const literals = node.enum ?? (node.const === undefined ? undefined : [node.const]);
  if (literals !== undefined && literals.length > 0) return literalAnnotation(literals);
  if (node.anyOf !== undefined) return union(node.anyOf.map(annotation));
  const types = typesOf(node);
  if (types.length === 0) return "JsonValue";
  return union(types.map((type) => typeAnnotation(type, node)));
}

function literalAnnotation(literals: readonly unknown[]): string {
  if (literals.some((each) => typeof each === "object" && each !== null)) return "JsonValue";
  const isWhole = literals.every((each) => typeof each !== "number" || Number.isSafeInteger(each));
  if (isWhole && literals.length <= MAX_LITERALS) {
    return `Literal[${literals.map(pythonLiteral).join(", ")}]`;
  }
  return union(literals.map(scalarAnnotation));
}

function scalarAnnotation(literal: unknown): string {
  if (literal === null) return "None";
  if (typeof literal === "string") return "str";
  return typeof literal === "number" ? "float" : "bool";
}

function typeAnnotation(type: TypeName, node: SchemaNode): string {
  if (type === "array") {
    const items = [...(node.prefixItems ?? []).map(annotation), annotation(node.items ?? {})];
    return `tuple[${union(items)}, ...]`;
  }
  return type === "object" ? `Mapping[str, ${annotation(valuesOf(node))}]` : (SCALARS[type] ?? "");
}

/** What the values of a map are, whatever their keys. */
function valuesOf(node: SchemaNode): SchemaNode {
  const { additionalProperties: values, properties, patternProperties } = node;
  const hasOthers = properties !== undefined || patternProperties !== undefined;
  return typeof values === "object" && !hasOthers ? values : {};
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}

/** Prints a class with its draft and its decoder. */
export class ClassCode {
  readonly #writer: Writer;
  readonly #values: ValueCode;

  constructor(writer: Writer, values: ValueCode) {
    this.#writer = writer;
    this.#values = values;
  }

  /** The class and its code. */
  write(recordClass: RecordClass): void {
    this.#writeDataclass(recordClass, () => this.#writeMethods(recordClass));
    this.#writeFunctions(recordClass);
  }

  /** The class alone, whose code `writeCode` prints. */
  writeType(recordClass: RecordClass): void {
    this.#writeDataclass(recordClass, () => {});
  }

  /** The code of a class as data, which stands in for its methods and functions. */
  writeCode({ name, functionName, fields, isOpen }: RecordClass): void {
    const print = (code: string): string => (code === "value" ? "None" : `lambda value: ${code}`);
    this.#writer.line(`decode_${functionName}, build_${functionName} = code_of(${name}, [`);
    for (const { wireName, name: field, node } of fields) {
      const decoded = this.#values.decoded(node, "value", `${name}.${wireName}`, true);
      const functions = `${print(decoded)}, ${print(this.#values.encoded(node, "value"))}`;
      this.#writer.line(`    (${pythonString(wireName)}, ${pythonString(field)}, ${functions}),`);
    }
    this.#writer.line(`], is_open=${isOpen ? "True" : "False"})`);
  }

  #writeFunctions(recordClass: RecordClass): void {
    this.#writer.blank(2);
    this.#writeDraft(recordClass);
    this.#writer.blank(2);
    const names = recordClass.fields.map((each) => pythonString(each.wireName));
    this.#writer.line(`_${recordClass.name}Fields = frozenset([${names.join(", ")}])`);
    this.#writer.blank(2);
    this.#writeDecode(recordClass);
  }

  #writeDataclass(recordClass: RecordClass, writeMethods: () => void): void {
    const { name, description, fields, isOpen } = recordClass;
    this.#writer.blank(2);
    this.#writer.line("@dataclass(frozen=True, slots=True, kw_only=True, repr=False)");
    this.#writer.block(`class ${name}(Record):`, () => {
      this.#writer.line(docstring(description));
      this.#writer.blank(1);
      for (const each of fields) {
        const type = annotation(each.node);
        this.#writer.line(`${each.name}: ${type}${each.isRequired ? "" : " | Unset = UNSET"}`);
        this.#writer.line(docstring(each.node.description ?? each.wireName));
      }
      if (isOpen) {
        this.#writer.line(
          "unknown_fields: Mapping[str, JsonValue] = field(default=NO_FIELDS, hash=False)",
        );
        this.#writer.line(docstring("Fields that the schema does not name."));
      }
      this.#writer.line("_keys: KeyOrder = field(default=NO_ORDER, repr=False, compare=False)");
      writeMethods();
    });
  }

  #writeMethods(recordClass: RecordClass): void {
    const { name, functionName } = recordClass;
    this.#writer.blank(1);
    this.#writer.line("@staticmethod");
    this.#writer.block(`def _decode(value: object) -> ${name}:`, () =>
      this.#writer.line(`return decode_${functionName}(value)`),
    );
    this.#writer.blank(1);
    this.#writer.line("@classmethod");
    this.#writer.block("def find_faults(cls, value: object) -> list[WireFault]:", () =>
      this.#writer.line(`return find_faults(${pythonString(name)}, value)`),
    );
    this.#writer.blank(1);
    this.#writer.block("def to_dict(self) -> dict[str, Any]:", () =>
      this.#writeToDictBody(recordClass),
    );
  }

  #writeToDictBody({ fields, isOpen }: RecordClass): void {
    this.#writer.line("fields: dict[str, Any] = {}");
    for (const each of fields) {
      const assign = `fields[${pythonString(each.wireName)}] = ${this.#values.encoded(each.node, `self.${each.name}`)}`;
      if (each.isRequired) this.#writer.line(assign);
      else
        this.#writer.block(`if self.${each.name} is not UNSET:`, () => this.#writer.line(assign));
    }
    if (isOpen) {
      this.#writer.block("if self.unknown_fields is not NO_FIELDS:", () =>
        this.#writer.line("fields.update(self.unknown_fields)"),
      );
    }
    this.#writer.line("return in_key_order(fields, self._keys)");
  }

  #writeDraft({ name }: RecordClass): void {
    this.#writer.block(`class _${name}Draft(Record):`, () => {
      this.#writer.line(docstring(`A ${name} whose fields are still being set; see record.py.`));
      this.#writer.blank(1);
      this.#writer.line(`__slots__ = ${name}.__slots__`);
    });
  }

  #writeDecode(recordClass: RecordClass): void {
    const { name, functionName, isJudged } = recordClass;
    const head = (verb: string): string => `def ${verb}_${functionName}(given: Any) -> ${name}:`;
    if (!isJudged) {
      this.#writer.block(head("decode"), () => this.#writeDecodeBody(recordClass));
      return;
    }
    this.#writer.block(head("decode"), () => {
      this.#writer.line(`check(${pythonString(name)}, given)`);
      this.#writer.line(`return build_${functionName}(given)`);
    });
    this.#writer.blank(2);
    this.#writer.block(head("build"), () => this.#writeDecodeBody(recordClass));
  }

  #writeDecodeBody({ name, fields, isOpen, isJudged }: RecordClass): void {
    this.#writer.line("value: dict[str, Any] = given");
    if (!isJudged) this.#writeRaise("not isinstance(given, dict)");
    this.#writer.line(`record: Any = _${name}Draft()`);
    this.#writer.line(`known = ${fields.length}`);
    for (const each of fields) this.#writeDecodeField(name, each, isJudged);
    if (!isOpen && !isJudged) this.#writeRaise("known != len(value)");
    const setKeys = (keys: string): void => this.#writer.line(`record._keys = ${keys}`);
    if (isOpen) {
      this.#writer.block("if known == len(value):", () => {
        this.#writer.line("record.unknown_fields = NO_FIELDS");
        setKeys("tuple(value)");
      });
      this.#writer.block("else:", () => {
        const unknown = `{key: value[key] for key in value if key not in _${name}Fields}`;
        this.#writer.line(`record.unknown_fields = ${unknown}`);
        setKeys("(UNSET, *value)");
      });
    } else {
      setKeys("(UNSET, *value)");
    }
    this.#writer.line(`record.__class__ = ${name}`);
    this.#writer.line(`decoded: ${name} = record`);
    this.#writer.line("return decoded");
  }

  #writeDecodeField(className: string, each: Field, isJudged: boolean): void {
    const local = localName(each);
    const key = pythonString(each.wireName);
    const place = `${className}.${each.wireName}`;
    const isSimple = this.#values.isSimple(each.node);
    const checkAndSet = (): void => {
      if (!isJudged) this.#values.writeChecks(each.node, local, place);
      const decoded = this.#values.decoded(each.node, local, place, isJudged || !isSimple);
      this.#writer.line(`record.${each.name} = ${decoded}`);
    };
    if (!each.isRequired) {
      this.#writer.block(`if ${key} in value:`, () => {
        this.#writer.line(`${local} = value[${key}]`);
        checkAndSet();
      });
      this.#writer.block("else:", () => {
        this.#writer.line("known -= 1");
        this.#writer.line(`record.${each.name} = UNSET`);
      });
      return;
    }
    this.#writer.line(`${local} = value.get(${key}, UNSET)`);
    // UNSET has no JSON type, so every check of a simple value fails for it.
    if (!isJudged && !(isSimple && this.#values.hasChecks(each.node))) {
      this.#writeRaise(`${local} is UNSET`);
    }
    checkAndSet();
  }

  #writeRaise(test: string): void {
    this.#writer.block(`if ${test}:`, () => this.#writer.line("raise Invalid"));
  }
}

/** Names of a module that begin like the variable of a field. */
const MODULE_NAME = /^_(?:PATTERN_\d+|schemas|.*Draft|.*Fields)$/;

/** Variable for a field's value; the underscore avoids conflicts with Python names. */
function localName({ name }: Field): string {
  return MODULE_NAME.test(`_${name}`) ? `_${name}_` : `_${name}`;
}
