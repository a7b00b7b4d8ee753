import { type SchemaNode, type TypeName, typesOf } from "../../schemas/nodes.js";
import { formatCheckOf } from "../formats.js";
import { pythonLiteral, pythonString } from "./names.js";

/** A Python expression that is true if a keyword fails. */
export interface Condition {
  readonly test: string;
  /** The keyword applies only if this expression is true; undefined for keywords that apply to all values. */
  readonly appliesTo?: string;
  readonly keyword: keyof SchemaNode;
}

/** An expression that is true if `value` has one of the node's types; undefined if all types are allowed. */
export function typeTest(node: SchemaNode, value: string): string | undefined {
  const types = typesOf(node);
  if (types.length === 0) return undefined;
  return types.map((type) => isOfType(type, value)).join(" or ");
}

/** An expression that is true if `value` has none of the node's types. */
export function typeFailure(node: SchemaNode, value: string): string | undefined {
  const test = typeTest(node, value);
  if (test === undefined) return undefined;
  return typesOf(node).length === 1 ? `not ${test}` : `not (${test})`;
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
  const add = (type: TypeName, keyword: keyof SchemaNode, test: string): void => {
    conditions.push({ keyword, test, appliesTo: isOfType(type, value) });
  };
  const bound = (type: TypeName, keyword: keyof SchemaNode, failure: string): void => {
    const limit = node[keyword];
    if (typeof limit === "number") add(type, keyword, `${failure} ${limit}`);
  };
  const length = `len(${value})`;
  bound("string", "minLength", `${length} <`);
  bound("string", "maxLength", `${length} >`);
  if (node.pattern !== undefined) {
    add("string", "pattern", `${addPattern(node.pattern)}.search(${value}) is None`);
  }
  const failure = node.format && formatFailure(node.format, value, addPattern);
  if (failure) add("string", "format", failure);
  bound("number", "minimum", `${value} <`);
  bound("number", "maximum", `${value} >`);
  bound("number", "exclusiveMinimum", `${value} <=`);
  bound("number", "exclusiveMaximum", `${value} >=`);
  bound("array", "minItems", `${length} <`);
  bound("array", "maxItems", `${length} >`);
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

/** Expressions that are true if `value` is not the `const`, or not in the `enum`. */
export function literalFailures(node: SchemaNode, value: string): string[] {
  return [
    ...(node.const === undefined ? [] : [notOneOf([node.const], value)]),
    ...(node.enum === undefined ? [] : [notOneOf(node.enum, value)]),
  ];
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

/** Functions of the runtime file `_formats.py`. */
const FUNCTIONS = {
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
  const test = formatTest(format, addPattern);
  if (test === undefined) return undefined;
  return test.endsWith(".search") ? `${test}(${value}) is None` : `not ${test}(${value})`;
}

/** A function whose result is true if a string has the format; undefined as above. */
export function formatTest(format: string, addPattern: AddPattern): string | undefined {
  const check = formatCheckOf(format);
  if (!(check instanceof RegExp)) return check && FUNCTIONS[check];
  return `${addPattern(check.source, check.ignoreCase)}.search`;
}
