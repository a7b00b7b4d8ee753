/** Keywords of Python, which cannot be field names. */
const KEYWORDS = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except " +
    "finally for from global if import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);

/** Names that the generated classes use themselves. */
const TAKEN = new Set(
  (
    "from_dict to_dict from_json to_json find_faults unknown_fields _keys _decode " +
    "bool classmethod dict field float int list object str tuple self cls " +
    "Any JsonValue KeyOrder Literal Mapping NO_FIELDS NO_ORDER Record UNSET Unset WireFault"
  ).split(" "),
);

/** The wire name if Python allows it; otherwise the closest legal name, ending in `_`. */
export function pythonName(wireName: string): string {
  const legal = wireName.replace(/[^A-Za-z0-9_]/g, "_").replace(/^(?=[0-9])/, "_");
  const name = legal === "" || legal.startsWith("__") ? `field${legal}` : legal;
  return KEYWORDS.has(name) || TAKEN.has(name) ? `${name}_` : name;
}

/** Names of which no two are equal. */
export class UniqueNames {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  /** The name itself if nobody has it, else with a number. */
  take(name: string): string {
    let unique = name;
    for (let number = 2; this.#taken.has(unique); number += 1) unique = `${name}${number}`;
    this.#taken.add(unique);
    return unique;
  }
}

/** The names of the fields of one class. `types` has the names of all classes, which a field would hide from annotations. */
export function fieldNames(
  wireNames: readonly string[],
  types: { has(name: string): boolean },
  adapt: (name: string) => string = (name) => name,
): string[] {
  const names = new UniqueNames();
  return wireNames.map((wireName) => {
    const name = adapt(pythonName(wireName));
    return names.take(types.has(name) ? `${name}_` : name);
  });
}

/** `RolloutBranchRecord` as `rollout_branch_record`, for functions and constants. */
export function snakeCase(typeName: string): string {
  return typeName
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}

/** Module name of a schema: `training-record` becomes `training_record`. */
export function moduleName(schemaName: string): string {
  return pythonName(schemaName.toLowerCase());
}

/** Modules of Python that a package of the same name would hide from what imports them. */
const MODULES = new Set(
  "abc ast copy csv dataclasses datetime email enum io json math os re string sys test time types typing uuid".split(
    " ",
  ),
);

/** The name of a Python package, after a file or folder. */
export function packageName(text: string): string {
  const words = snakeCase(text.replaceAll(/[^A-Za-z0-9]+/g, "_")).replaceAll(/^_+|_+$/g, "");
  if (words === "") return "schemas";
  return MODULES.has(words) || KEYWORDS.has(words) ? `${words}_schema` : pythonName(words);
}

/** A JSON string as a Python string literal. */
export function pythonString(text: string): string {
  const escaped = JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  // Python reads an escaped surrogate pair as two characters, so astral characters are written with \U.
  return escaped.replace(/\\u(d[89ab]..)\\u(d[c-f]..)/g, (_, high, low) => {
    const point = String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16));
    return `\\U${(point.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`;
  });
}

/** A JSON value as Python code. */
export function pythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "string") return pythonString(value);
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, each]) => {
    return `${pythonString(key)}: ${pythonLiteral(each)}`;
  });
  return `{${entries.join(", ")}}`;
}

/** A docstring; the caller indents it. */
export function docstring(text: string): string {
  const escaped = text
    .replaceAll("\\", "\\\\")
    // Python reads no source with such a character.
    .replace(/[^\n\t\P{Cc}]|\p{Cs}/gu, (unit) => pythonString(unit).slice(1, -1));
  // A single quote character is fine inside triple quotes, except before another one or at the end.
  return `"""${escaped.replace(/"(?="|$)/g, '\\"')}"""`;
}

/** Python source without its texts: what remains are names. */
export function codeOf(source: string): string {
  return source.replace(/"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"/g, '""');
}
