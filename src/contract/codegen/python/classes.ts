import { previewValue } from "../../../base/text.js";
import { type SchemaNode, type TypeName, typesOf } from "../../schemas/nodes.js";
import { messageWithValue } from "./conditions.js";
import type { Field, RecordClass } from "./model.js";
import { docstring, pythonLiteral, pythonString, snakeCase } from "./names.js";
import { pointerToken, type ValueCode, type Writer, writeFault } from "./values.js";

const SCALARS: Readonly<Partial<Record<TypeName, string>>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

/** The Python type of the values that `node` describes. */
export function annotation(node: SchemaNode): string {
  if (node.$ref !== undefined) return node.$ref;
  if (node.const !== undefined) return `Literal[${pythonLiteral(node.const)}]`;
  if (node.enum !== undefined) return `Literal[${node.enum.map(pythonLiteral).join(", ")}]`;
  const types = typesOf(node);
  if (types.length === 0) return "JsonValue";
  return types.map((type) => typeAnnotation(type, node)).join(" | ");
}

function typeAnnotation(type: TypeName, node: SchemaNode): string {
  if (type === "array") {
    return `tuple[${annotation(node.items ?? {})}, ...]`;
  }
  if (type === "object") {
    const values = typeof node.additionalProperties === "object" ? node.additionalProperties : {};
    return `Mapping[str, ${annotation(values)}]`;
  }
  return SCALARS[type] ?? "JsonValue";
}

/** Prints a class with its draft, decoder and fault collector. */
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
    this.#writeDecode(recordClass);
    this.#writer.blank(2);
    this.#writeCollectFaults(recordClass);
  }

  #writeDataclass({ name, description, fields, isOpen }: RecordClass): void {
    const snake = snakeCase(name);
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
        this.#writer.line(`return decode_${snake}(value)`),
      );
      this.#writer.blank(1);
      this.#writer.line("@classmethod");
      this.#writer.block("def find_faults(cls, value: object) -> list[WireFault]:", () => {
        this.#writer.line("faults: list[WireFault] = []");
        this.#writer.line(`collect_${snake}_faults(value, "", faults)`);
        this.#writer.line("return faults");
      });
      this.#writer.blank(1);
      this.#writer.block("def to_dict(self) -> dict[str, Any]:", () =>
        this.#writeToDictBody(fields, isOpen),
      );
    });
  }

  #writeToDictBody(fields: readonly Field[], isOpen: boolean): void {
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

  #writeDecode({ name, fields, isOpen }: RecordClass): void {
    const raise = (test: string): void =>
      this.#writer.block(`if ${test}:`, () => this.#writer.line("raise Invalid"));
    this.#writer.block(`def decode_${snakeCase(name)}(given: Any) -> ${name}:`, () => {
      this.#writer.line("value: dict[str, Any] = given");
      raise("not isinstance(given, dict)");
      this.#writer.line(`record: Any = _${name}Draft()`);
      this.#writer.line(`known = ${fields.length}`);
      for (const each of fields) this.#writeDecodeField(each);
      if (!isOpen) raise("known != len(value)");
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
    });
  }

  #writeDecodeField(each: Field): void {
    const local = localName(each);
    const key = pythonString(each.wireName);
    const checkAndSet = (): void => {
      this.#values.writeChecks(each.node, local);
      const decoded = this.#values.decoded(each.node, local);
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
    // UNSET has no JSON type, so every check fails for it.
    if (!this.#values.hasChecks(each.node)) {
      this.#writer.block(`if ${local} is UNSET:`, () => this.#writer.line("raise Invalid"));
    }
    checkAndSet();
  }

  #writeCollectFaults({ name, fields, isOpen }: RecordClass): void {
    const head = `def collect_${snakeCase(name)}_faults(value: Any, at: str, faults: list[WireFault]) -> None:`;
    this.#writer.block(head, () => {
      this.#writer.block("if not is_object(value):", () => {
        const message = messageWithValue("must be an object", "value");
        writeFault(this.#writer, { keyword: "type", message }, "");
        this.#writer.line("return");
      });
      const required = fields.filter((each) => each.isRequired).map((each) => each.wireName);
      for (const missing of required) {
        const message = pythonString(`lacks ${previewValue(missing)}`);
        this.#writer.block(`if ${pythonString(missing)} not in value:`, () =>
          writeFault(this.#writer, { keyword: "required", message }, ""),
        );
      }
      if (!isOpen) {
        const message = 'f"has {preview(key)}, which is not allowed here"';
        this.#writer.block("for key in value:", () =>
          this.#writer.block(`if key not in _${name}Fields:`, () =>
            this.#writer.line(`faults.append(WireFault(at, "additionalProperties", ${message}))`),
          ),
        );
      }
      for (const each of fields) this.#writeCollectFieldFaults(each);
    });
  }

  #writeCollectFieldFaults(each: Field): void {
    if (!this.#values.hasChecks(each.node)) return;
    const key = pythonString(each.wireName);
    this.#writer.block(`if ${key} in value:`, () => {
      this.#writer.line(`${localName(each)} = value[${key}]`);
      this.#values.writeFaults(each.node, localName(each), `/${pointerToken(each.wireName)}`);
    });
  }
}

/** Variable for a field's value; the underscore avoids conflicts with Python names. */
function localName({ name }: Field): string {
  return `_${name}`;
}
