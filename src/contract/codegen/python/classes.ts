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

  write(recordClass: RecordClass): void {
    this.#writer.blank(2);
    this.#writeDataclass(recordClass);
    this.#writer.blank(2);
    this.#writeDraft(recordClass);
    this.#writer.blank(2);
    const names = recordClass.fields.map((each) => pythonString(each.wireName));
    this.#writer.line(`_${recordClass.name}Fields = frozenset([${names.join(", ")}])`);
    this.#writer.blank(2);
    this.#writeParts(recordClass);
    this.#writer.blank(2);
    this.#writeDecode(recordClass);
  }

  #writeDataclass(recordClass: RecordClass): void {
    const { name, functionName, description, fields, isOpen } = recordClass;
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
    });
  }

  #writeToDictBody({ fields, functionName, isOpen }: RecordClass): void {
    this.#writer.line("fields: dict[str, Any] = {}");
    const parts = partsOf(fields);
    if (parts.length === 1) this.#writeFields(fields);
    else {
      for (const at of parts.keys()) {
        this.#writer.line(`_fill_${functionName}_${at + 1}(self, fields)`);
      }
    }
    if (isOpen) {
      this.#writer.block("if self.unknown_fields is not NO_FIELDS:", () =>
        this.#writer.line("fields.update(self.unknown_fields)"),
      );
    }
    this.#writer.line("return in_key_order(fields, self._keys)");
  }

  #writeFields(fields: readonly Field[]): void {
    for (const each of fields) {
      const assign = `fields[${pythonString(each.wireName)}] = ${this.#values.encoded(each.node, `self.${each.name}`)}`;
      if (each.isRequired) this.#writer.line(assign);
      else
        this.#writer.block(`if self.${each.name} is not UNSET:`, () => this.#writer.line(assign));
    }
  }

  /** Functions for parts of the fields, if they are too many for one. */
  #writeParts({ name, functionName, fields, isJudged }: RecordClass): void {
    const parts = partsOf(fields);
    if (parts.length === 1) return;
    for (const [at, part] of parts.entries()) {
      const end = `${functionName}_${at + 1}`;
      this.#writer.blank(2);
      this.#writer.block(`def _fill_${end}(self: ${name}, fields: dict[str, Any]) -> None:`, () =>
        this.#writeFields(part),
      );
      this.#writer.blank(2);
      this.#writer.block(`def _read_${end}(record: Any, value: dict[str, Any]) -> None:`, () => {
        for (const each of part) this.#writeDecodeField(name, each, isJudged, false);
      });
    }
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

  #writeDecodeBody({ name, functionName, fields, isOpen, isJudged }: RecordClass): void {
    this.#writer.line("value: dict[str, Any] = given");
    if (!isJudged) this.#writeRaise("not isinstance(given, dict)");
    this.#writer.line(`record: Any = _${name}Draft()`);
    const parts = partsOf(fields);
    if (parts.length === 1) {
      this.#writer.line(`known = ${fields.length}`);
      for (const each of fields) this.#writeDecodeField(name, each, isJudged);
    } else {
      for (const at of parts.keys()) {
        this.#writer.line(`_read_${functionName}_${at + 1}(record, value)`);
      }
      this.#writer.line(`known = len(_${name}Fields.intersection(value))`);
    }
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

  #writeDecodeField(className: string, each: Field, isJudged: boolean, isCounted = true): void {
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
        if (isCounted) this.#writer.line("known -= 1");
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

/** More are too much for one function: type checkers give up. */
const MAX_FIELDS = 100;

function partsOf(fields: readonly Field[]): Field[][] {
  const count = Math.max(1, Math.ceil(fields.length / MAX_FIELDS));
  return Array.from({ length: count }, (_, at) => {
    return fields.slice(at * MAX_FIELDS, (at + 1) * MAX_FIELDS);
  });
}

/** Names of a module that begin like the variable of a field. */
const MODULE_NAME = /^_(?:PATTERN_\d+|schemas|.*Draft|.*Fields)$/;

/** Variable for a field's value; the underscore avoids conflicts with Python names. */
function localName({ name }: Field): string {
  return MODULE_NAME.test(`_${name}`) ? `_${name}_` : `_${name}`;
}
