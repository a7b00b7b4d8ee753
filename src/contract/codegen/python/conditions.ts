import { fullFormats } from "ajv-formats/dist/formats.js";
import { isSchemaVersion } from "../../../base/json/schema-error.js";
import { escapeControls, previewValue } from "../../../base/text.js";
import { alternatives, withArticle } from "../../../base/words.js";
import { type SchemaNode, type TypeName, typesOf } from "../../schemas/nodes.js";
import { pythonFormatString, pythonLiteral, pythonString } from "./names.js";

/** A Python expression that is true if `keyword` fails. */
export interface Condition {
  readonly keyword: string;
  readonly test: string;
  /** The keyword applies only if this expression is true; undefined for keywords that apply to all values. */
  readonly appliesTo?: string;
  /** A Python expression of the fault's message, worded as by `describeFault`. */
  readonly message: string;
}

/** The message `must be ..., is ...`, with a preview of the value. */
export function messageWithValue(said: string, value: string): string {
  return pythonFormatString(escapeControls(said), ", is ", `preview(${value})`);
}

/** An expression that is true if `value` has one of the node's types; undefined if all types are allowed. */
export function typeTest(node: SchemaNode, value: string): string | undefined {
  const types = typesOf(node);
  if (types.length === 0) return undefined;
  return types.map((type) => isOfType(type, value)).join(" or ");
}

/** The condition for a value of the wrong type. */
export function typeCondition(node: SchemaNode, value: string): Condition | undefined {
  const test = typeTest(node, value);
  if (test === undefined) return undefined;
  const types = typesOf(node);
  return {
    keyword: "type",
    test: types.length === 1 ? `not ${test}` : `not (${test})`,
    message: messageWithValue(`must be ${alternatives(types, withArticle)}`, value),
  };
}

/**
 * The conditions of keywords that apply to one type only. `addPattern` names a compiled pattern. Bounds apply
 * to every number, even if the type is integer.
 */
export function typedConditions(
  node: SchemaNode,
  value: string,
  addPattern: AddPattern,
): Condition[] {
  const conditions: Condition[] = [];
  const add = (
    type: TypeName,
    keyword: string,
    test: string,
    said: string,
    message = messageWithValue(said, value),
  ): void => {
    conditions.push({ keyword, test, appliesTo: isOfType(type, value), message });
  };
  const bound = (
    type: TypeName,
    keyword: keyof SchemaNode,
    failure: string,
    say: (limit: number) => string,
    message?: (limit: number) => string | undefined,
  ): void => {
    const limit = node[keyword];
    if (typeof limit === "number") {
      add(type, keyword, `${failure} ${limit}`, say(limit), message?.(limit));
    }
  };
  const length = `len(${value})`;
  bound(
    "string",
    "minLength",
    `${length} <`,
    (n) => `must have at least ${n} characters`,
    (n) => (n === 1 ? pythonString("must not be empty") : undefined),
  );
  bound("string", "maxLength", `${length} >`, (n) => `must NOT have more than ${n} characters`);
  if (node.pattern !== undefined) {
    const test = `${addPattern(node.pattern)}.search(${value}) is None`;
    add("string", "pattern", test, `must match ${node.pattern}`);
  }
  const failure = node.format && formatFailure(node.format, value, addPattern);
  if (failure) add("string", "format", failure, `must match format "${node.format}"`);
  bound("number", "minimum", `${value} <`, (n) => `must be >= ${n}`);
  bound("number", "maximum", `${value} >`, (n) => `must be <= ${n}`);
  bound("number", "exclusiveMinimum", `${value} <=`, (n) => `must be > ${n}`);
  bound("number", "exclusiveMaximum", `${value} >=`, (n) => `must be < ${n}`);
  bound(
    "array",
    "minItems",
    `${length} <`,
    (n) => `must have at least ${n} items`,
    (n) => pythonFormatString(`must have at least ${n} items`, ", has ", length),
  );
  bound("array", "maxItems", `${length} >`, (n) => `must NOT have more than ${n} items`);
  return conditions;
}

/** Those conditions of typed keywords that apply to values of `type`. */
export function conditionsOfType(
  conditions: readonly Condition[],
  type: TypeName,
  value: string,
): Condition[] {
  const tests = [isOfType(type, value), ...(type === "integer" ? [isOfType("number", value)] : [])];
  return conditions.filter(({ appliesTo = "" }) => tests.includes(appliesTo));
}

/** The condition for a value that is not the `const`, or not in the `enum`. */
export function literalConditions(node: SchemaNode, value: string): Condition[] {
  const conditions: Condition[] = [];
  if (node.const !== undefined) {
    const message = messageWithValue(`must be ${previewValue(node.const)}`, value);
    conditions.push({
      keyword: "const",
      test: notOneOf([node.const], value),
      message: isSchemaVersion(node.const)
        ? `${message} + explain_version(${value}, MAJORS)`
        : message,
    });
  }
  if (node.enum !== undefined) {
    conditions.push({
      keyword: "enum",
      test: notOneOf(node.enum, value),
      message: messageWithValue(`must be ${alternatives(node.enum, previewValue)}`, value),
    });
  }
  return conditions;
}

function isOfType(type: TypeName, value: string): string {
  switch (type) {
    case "string":
      return `isinstance(${value}, str)`;
    case "boolean":
      return `isinstance(${value}, bool)`;
    case "null":
      return `${value} is None`;
    default:
      return `is_${type}(${value})`;
  }
}

function notOneOf(members: readonly unknown[], value: string): string {
  const strings = members.filter((member) => typeof member === "string").map(pythonString);
  const numbers = members.filter((member) => typeof member === "number").map(pythonLiteral);
  const singletons = members.filter((member) => member === null || typeof member === "boolean");
  if (numbers.length + singletons.length === 0) return `${value} ${outside(strings)}`;
  const tests = [
    ...(strings.length > 0 ? [`${value} ${outside(strings)}`] : []),
    ...(numbers.length > 0
      ? [`(not is_literal_number(${value}) or ${value} ${outside(numbers)})`]
      : []),
    ...singletons.map((member) => `${value} is not ${pythonLiteral(member)}`),
  ];
  return tests.length === 1 ? (tests[0] ?? "") : `(${tests.join(" and ")})`;
}

function outside(literals: readonly string[]): string {
  return literals.length === 1 ? `!= ${literals[0]}` : `not in (${literals.join(", ")})`;
}

/** Names a compiled pattern; `ignoreCase` for the flag `i`. */
export type AddPattern = (pattern: string, ignoreCase?: boolean) => string;

/** Functions of the runtime file `formats.py`. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  date: "is_date",
  time: "is_time",
  "date-time": "is_date_time",
};

/**
 * An expression that is true if the string in `value` violates a format; undefined for a format that the
 * Python code cannot check like ajv-formats.
 */
export function formatFailure(
  format: string,
  value: string,
  addPattern: AddPattern,
): string | undefined {
  const name = FUNCTIONS[format];
  if (name !== undefined) return `not ${name}(${value})`;
  const pattern = patternOf(format);
  if (pattern === undefined) return undefined;
  return `${addPattern(pattern.source, pattern.ignoreCase)}.search(${value}) is None`;
}

function patternOf(format: string): RegExp | undefined {
  const formats: Readonly<Record<string, unknown>> = fullFormats;
  const definition = Object.hasOwn(formats, format) ? formats[format] : undefined;
  const isPlain = definition instanceof RegExp && /^i?$/.test(definition.flags);
  return isPlain ? definition : undefined;
}
