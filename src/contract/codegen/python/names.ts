import { EXIT, UserError } from "../../../base/user-error.js";

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
    "from_dict to_dict from_json to_json find_faults unknown_fields _keys " +
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

/** An f-string of a text, and of the value of an expression after it. */
export function pythonFormatString(text: string, joint: string, expression: string): string {
  const escaped = pythonString(text + joint)
    .slice(1, -1)
    .replace(/[{}]/g, "$&$&");
  return `f"${escaped}{${expression}}"`;
}

/** A JSON scalar as a Python literal. Throws UserError for objects and arrays. */
export function pythonLiteral(value: unknown): string {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "number") return JSON.stringify(value);
  if (typeof value === "string") return pythonString(value);
  throw new UserError(
    `the Python package cannot hold ${JSON.stringify(value)} in an enum or const: use scalars`,
    EXIT.findings,
  );
}

/** A docstring; the caller indents it. */
export function docstring(text: string): string {
  // A single quote character is fine inside triple quotes, except before another one or at the end.
  return `"""${text.replaceAll("\\", "\\\\").replace(/"(?="|$)/g, '\\"')}"""`;
}
