import { type Definition, type Definitions, definitionOf } from "../../schemas/definitions.js";
import { type SchemaNode, type TypeName, typesOf } from "../../schemas/nodes.js";
import { recursiveNames } from "../definitions.js";
import { formatCheckOf } from "../formats.js";
import {
  all,
  any,
  type Condition,
  call,
  compare,
  isFalse,
  isTrue,
  not,
  printCondition,
} from "./conditions.js";
import { isIdentifier, printJson } from "./literals.js";
import { MAX_NESTING } from "./runtime/faults.js";

/** A part of a guard: a condition that is true of invalid values, or lines that return false for them. */
type Check = { readonly fails: Condition } | { readonly lines: readonly string[] };

/** Up to so many texts are compared one by one; more are looked up in a set. */
const MAX_COMPARED = 8;

/** What every object inherits: a record has such a property only if it is its own. */
const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

const FORMATS = { date: "isDate", time: "isTime", "date-time": "isDateTime" } as const;

/** Prints guards: plain conditions, which allocate nothing. They call each other, and functions of the runtime. */
export class GuardPrinter {
  readonly #definitions: Definitions;
  readonly #recursive: ReadonlySet<string>;
  /** Expressions by the names of their constants. */
  readonly #constants = new Map<string, string>();
  /** Names of functions by the module of the runtime that has them. */
  readonly #helpers = new Map<string, Set<string>>();
  #functions: string[][] = [];
  #definition = "";
  #variables = 0;

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
    this.#recursive = recursiveNames(definitions);
  }

  /** The functions that `print` has called so far, by module. */
  get helpers(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#helpers;
  }

  /** The constants that the guards use, as lines. */
  get constants(): string[] {
    return [...this.#constants].map(([value, name]) => `const ${name} = ${value};`);
  }

  isRecursive(name: string): boolean {
    return this.#recursive.has(name);
  }

  /** The guard of a definition, and the functions that only it calls, as lines. */
  print({ name, node }: Definition, isExported: boolean): string[] {
    this.#functions = [];
    this.#definition = name;
    this.#variables = 0;
    const prefix = isExported ? "export " : "";
    const body = this.#printBody(node);
    const head = (name: string): string => `function ${name}(value)`;
    const guard = this.#recursive.has(name)
      ? [
          `let nested${name} = 0;`,
          ...block(`${prefix}${head(`is${name}`)}`, [
            `if (nested${name} > ${MAX_NESTING}) return false;`,
            `nested${name} += 1;`,
            ...block("try", [`return check${name}(value);`]),
            ...block("finally", [`nested${name} -= 1;`]),
          ]),
          ...block(head(`check${name}`), body),
        ]
      : block(`${prefix}${head(`is${name}`)}`, body);
    return [...guard, ...this.#functions.flat()];
  }

  /** An expression of a function that checks a format. */
  printFormat(format: string): string {
    const check = formatCheckOf(format);
    if (check === undefined) throw new Error(`the format ${format} is not in the profile`);
    if (typeof check === "string") return this.#help("formats", FORMATS[check]);
    return `(text) => ${this.#pattern(check)}.test(text)`;
  }

  #printBody(node: SchemaNode): string[] {
    const checks = this.#check(node, "value");
    return [...checks.flatMap(toLines), "return true;"];
  }

  #help(module: string, name: string): string {
    this.#helpers.set(module, (this.#helpers.get(module) ?? new Set()).add(name));
    return name;
  }

  /** The name of a constant with that value. */
  #constant(kind: string, value: string): string {
    const name = this.#constants.get(value) ?? `${kind}${this.#constants.size}`;
    this.#constants.set(value, name);
    return name;
  }

  #pattern(pattern: string | RegExp): string {
    const { source, flags } =
      typeof pattern === "string" ? { source: pattern, flags: "u" } : pattern;
    const list = [source, ...(flags === "" ? [] : [flags])].map((text) => JSON.stringify(text));
    return this.#constant("pattern", `/* @__PURE__ */ new RegExp(${list.join(", ")})`);
  }

  #variable(): string {
    this.#variables += 1;
    return `v${this.#variables}`;
  }

  /** A condition that is true of the values that a node accepts. */
  #accepts(node: SchemaNode, value: string): Condition {
    const checks = this.#check(node, value);
    const fails = checks.flatMap((check) => ("fails" in check ? [check.fails] : []));
    if (fails.length === checks.length) return not(any(fails));
    const name = `check${this.#definition}$${this.#functions.length + 1}`;
    const place = this.#functions.push([]) - 1;
    this.#functions[place] = block(`function ${name}(value)`, this.#printBody(node));
    return call(name, value);
  }

  #check(node: SchemaNode, value: string): Check[] {
    const { $ref } = node;
    const checks: Check[] = $ref === undefined ? [] : [{ fails: not(call(`is${$ref}`, value)) }];
    const literals = this.#checkLiterals(node, value);
    const types = typesOf(node);
    // Literals are of one of the types.
    if (node.type !== undefined && literals.length === 0) {
      checks.push({ fails: not(any(types.map((type) => isOfType(type, value)))) });
    }
    checks.push(...literals);
    const add = (of: readonly TypeName[], some: readonly Check[]): void => {
      const others = types.filter((type) => !of.includes(type));
      if (some.length === 0 || (node.type !== undefined && others.length === types.length)) return;
      if (node.type !== undefined && others.length === 0) checks.push(...some);
      else checks.push(when(isOfType(of[0] ?? "null", value), some));
    };
    add(["number", "integer"], this.#checkNumber(node, value));
    add(["string"], this.#checkText(node, value));
    add(["array"], this.#checkArray(node, value));
    add(["object"], this.#checkObject(node, value));
    const all = [...checks, ...this.#checkMembers(node, value)];
    return all.filter((check) => toLines(check).length > 0);
  }

  #checkLiterals(node: SchemaNode, value: string): Check[] {
    const types = typesOf(node);
    const isAllowed = (literal: unknown): boolean =>
      node.type === undefined || types.some((type) => isLiteralOfType(type, literal));
    const lists = [node.enum, node.const === undefined ? undefined : [node.const]];
    return lists
      .filter((list) => list !== undefined)
      .map((list) => ({ fails: not(this.#isOneOf(list.filter(isAllowed), value)) }));
  }

  #isOneOf(literals: readonly unknown[], value: string): Condition {
    const scalars = literals.filter((each) => typeof each !== "object" || each === null);
    const others = literals.filter((each) => !scalars.includes(each));
    const isDeep = others.map((literal) => {
      const constant = this.#constant("literal", printJson(literal));
      return call(this.#help("values", "areEqual"), value, constant);
    });
    if (scalars.length <= MAX_COMPARED) {
      return any([...scalars.map((each) => compare(value, "===", printJson(each))), ...isDeep]);
    }
    const set = `/* @__PURE__ */ new Set(${printJson(scalars)})`;
    return any([call(`${this.#constant("literals", set)}.has`, value), ...isDeep]);
  }

  #checkNumber(node: SchemaNode, value: string): Check[] {
    const bounds = [
      ["minimum", ">="],
      ["maximum", "<="],
      ["exclusiveMinimum", ">"],
      ["exclusiveMaximum", "<"],
    ] as const;
    const fails = bounds.flatMap(([keyword, operator]) => {
      const limit = node[keyword];
      return limit === undefined ? [] : [not(compare(value, operator, limit))];
    });
    if (node.multipleOf !== undefined) {
      const isMultiple = this.#help("values", "isMultiple");
      fails.push(not(call(isMultiple, value, `${node.multipleOf}`)));
    }
    return fails.map((each) => ({ fails: each }));
  }

  #checkText(node: SchemaNode, value: string): Check[] {
    const { minLength = 0, maxLength, pattern, format } = node;
    const fails: Condition[] = [];
    const units = `${value}.length`;
    const hasLength = (count: number): Condition =>
      call(this.#help("values", "hasLength"), value, `${count}`);
    // A code point has one or two units.
    if (minLength === 1) fails.push(compare(units, "===", 0));
    else if (minLength > 1) {
      fails.push(all([compare(units, "<", 2 * minLength - 1), not(hasLength(minLength))]));
    }
    if (maxLength !== undefined) {
      fails.push(all([compare(units, ">", maxLength), hasLength(maxLength + 1)]));
    }
    if (pattern !== undefined) fails.push(not(call(`${this.#pattern(pattern)}.test`, value)));
    if (format !== undefined) {
      const check = formatCheckOf(format);
      const isFormat =
        check instanceof RegExp ? `${this.#pattern(check)}.test` : this.printFormat(format);
      fails.push(not(call(isFormat, value)));
    }
    return fails.map((each) => ({ fails: each }));
  }

  #checkArray(node: SchemaNode, value: string): Check[] {
    const { minItems = 0, maxItems, prefixItems = [], contains } = node;
    const checks: Check[] = [];
    if (minItems > 0) checks.push({ fails: compare(`${value}.length`, "<", minItems) });
    if (maxItems !== undefined) checks.push({ fails: compare(`${value}.length`, ">", maxItems) });
    if (node.uniqueItems === true) {
      const pair = `${this.#help("values", "findEqual")}(${value})`;
      checks.push({ fails: compare(pair, "!==", "undefined") });
    }
    if (contains !== undefined) checks.push(this.#checkContained(node, contains, value));
    for (const [at, item] of prefixItems.entries()) {
      const variable = this.#variable();
      const inside = this.#check(item, variable);
      if (inside.length === 0) continue;
      const lines = [`const ${variable} = ${value}[${at}];`, ...inside.flatMap(toLines)];
      checks.push({ lines: block(`if (${value}.length > ${at})`, lines) });
    }
    if (node.items !== undefined) {
      const variable = this.#variable();
      const inside = this.#check(node.items, variable);
      if (inside.length > 0)
        checks.push({ lines: loop(variable, value, prefixItems.length, inside.flatMap(toLines)) });
    }
    return checks;
  }

  #checkContained(node: SchemaNode, contains: SchemaNode, value: string): Check {
    const { minContains = 1, maxContains } = node;
    const [variable, count] = [this.#variable(), this.#variable()];
    const isContained = this.#accepts(contains, variable);
    const fails = [
      ...(minContains > 0 ? [`${count} < ${minContains}`] : []),
      ...(maxContains === undefined ? [] : [`${count} > ${maxContains}`]),
    ];
    if (fails.length === 0) return { lines: [] };
    return {
      lines: [
        `let ${count} = 0;`,
        ...loop(variable, value, 0, [`if (${printCondition(isContained)}) ${count} += 1;`]),
        `if (${fails.join(" || ")}) return false;`,
      ],
    };
  }

  #checkObject(node: SchemaNode, value: string): Check[] {
    const { properties = {}, required = [] } = node;
    const checks: Check[] = [];
    for (const name of required) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (property !== undefined && this.#excludesUndefined(property)) continue;
      checks.push({ fails: this.#isMissing(value, name) });
    }
    for (const [name, property] of Object.entries(properties)) {
      const variable = this.#variable();
      const inside = this.#check(property, variable);
      if (inside.length === 0) continue;
      const read = `const ${variable} = ${this.#access(value, name)};`;
      const lines = inside.flatMap(toLines);
      const isRequired = required.includes(name);
      checks.push({
        lines: [read, ...(isRequired ? lines : block(`if (${variable} !== undefined)`, lines))],
      });
    }
    for (const [name, others] of Object.entries(node.dependentRequired ?? {})) {
      const missing = others.map((other) => this.#isMissing(value, other));
      checks.push({ fails: all([not(this.#isMissing(value, name)), any(missing)]) });
    }
    for (const [name, schema] of Object.entries(node.dependentSchemas ?? {})) {
      const inside = this.#check(schema, value);
      if (inside.length > 0) checks.push(when(not(this.#isMissing(value, name)), inside));
    }
    return [...checks, ...this.#checkKeys(node, value)];
  }

  /** What is said of each key, whatever its name is. */
  #checkKeys(node: SchemaNode, value: string): Check[] {
    const { properties = {}, patternProperties = {}, additionalProperties, propertyNames } = node;
    const { minProperties = 0, maxProperties } = node;
    const [key, property, count] = [this.#variable(), this.#variable(), this.#variable()];
    const isValue = compare(property, "!==", "undefined");
    const lines: string[] = [];
    if (propertyNames !== undefined)
      lines.push(...this.#check(propertyNames, key).flatMap(toLines));
    const matches = Object.entries(patternProperties).map(([pattern, schema]) => {
      const isMatch = call(`${this.#pattern(pattern)}.test`, key);
      const inside = this.#check(schema, property);
      if (inside.length > 0) lines.push(...toLines(when(all([isValue, isMatch]), inside)));
      return isMatch;
    });
    const isExtra = not(any([this.#isOneOf(Object.keys(properties), key), ...matches]));
    if (additionalProperties === false) lines.push(...toLines({ fails: isExtra }));
    else if (typeof additionalProperties === "object") {
      const extra = this.#check(additionalProperties, property);
      if (extra.length > 0) lines.push(...toLines(when(all([isValue, isExtra]), extra)));
    }
    const isCounted = minProperties > 0 || maxProperties !== undefined;
    if (isCounted) lines.push(`${count} += 1;`);
    if (lines.length === 0) return [];
    const read = lines.some((line) => new RegExp(`\\b${property}\\b`).test(line))
      ? [`const ${property} = ${value}[${key}];`]
      : [];
    const each = block(`for (const ${key} in ${value})`, [...read, ...lines]);
    if (!isCounted) return [{ lines: each }];
    const fails = [
      ...(minProperties > 0 ? [`${count} < ${minProperties}`] : []),
      ...(maxProperties === undefined ? [] : [`${count} > ${maxProperties}`]),
    ];
    return [{ lines: [`let ${count} = 0;`, ...each, `if (${fails.join(" || ")}) return false;`] }];
  }

  #checkMembers(node: SchemaNode, value: string): Check[] {
    const { allOf = [], anyOf, oneOf } = node;
    const checks = allOf.flatMap((member) => this.#check(member, value));
    if (anyOf !== undefined) {
      checks.push({ fails: not(any(anyOf.map((member) => this.#accepts(member, value)))) });
    }
    if (oneOf !== undefined) {
      const matching = oneOf.map(
        (member) => `(${printCondition(this.#accepts(member, value))} ? 1 : 0)`,
      );
      checks.push({ fails: compare(matching.join(" + "), "!==", 1) });
    }
    if (node.not !== undefined) checks.push({ fails: this.#accepts(node.not, value) });
    if (node.if !== undefined) {
      const condition = this.#accepts(node.if, value);
      checks.push(when(condition, this.#check(node.then ?? {}, value)));
      checks.push(when(not(condition), this.#check(node.else ?? {}, value)));
    }
    return checks;
  }

  #access(value: string, name: string): string {
    if (INHERITED.has(name)) {
      return `${this.#help("values", "ownValue")}(${value}, ${JSON.stringify(name)})`;
    }
    return isIdentifier(name) ? `${value}.${name}` : `${value}[${JSON.stringify(name)}]`;
  }

  #isMissing(value: string, name: string): Condition {
    return compare(this.#access(value, name), "===", "undefined");
  }

  /** Whether a node itself says what rejects `undefined`. */
  #excludesUndefined({ $ref, type, const: literal, enum: literals }: SchemaNode): boolean {
    if (type !== undefined || literal !== undefined || literals !== undefined) return true;
    if ($ref === undefined || this.#recursive.has($ref)) return false;
    return this.#excludesUndefined(definitionOf($ref, this.#definitions).node);
  }
}

function isOfType(type: TypeName, value: string): Condition {
  const isOf = (name: string): Condition => compare(`typeof ${value}`, "===", `"${name}"`);
  switch (type) {
    case "integer":
      return call("Number.isInteger", value);
    case "number":
      return call("Number.isFinite", value);
    case "array":
      return call("Array.isArray", value);
    case "null":
      return compare(value, "===", "null");
    case "object": {
      const isArray = call("Array.isArray", value);
      return all([isOf("object"), compare(value, "!==", "null"), not(isArray)]);
    }
    default:
      return isOf(type);
  }
}

function isLiteralOfType(type: TypeName, literal: unknown): boolean {
  if (type === "integer") return Number.isInteger(literal);
  if (literal === null || type === "null") return literal === null && type === "null";
  if (Array.isArray(literal) || type === "array") return Array.isArray(literal) && type === "array";
  return typeof literal === type;
}

function when(condition: Condition, checks: readonly Check[]): Check {
  const fails = checks.flatMap((check) => ("fails" in check ? [check.fails] : []));
  if (fails.length === checks.length) return { fails: all([condition, any(fails)]) };
  const lines = checks.flatMap(toLines);
  return { lines: isTrue(condition) ? lines : block(`if (${printCondition(condition)})`, lines) };
}

function toLines(check: Check): readonly string[] {
  if ("lines" in check) return check.lines;
  if (isFalse(check.fails)) return [];
  return [
    isTrue(check.fails) ? "return false;" : `if (${printCondition(check.fails)}) return false;`,
  ];
}

function loop(variable: string, list: string, from: number, lines: readonly string[]): string[] {
  const at = `${variable}At`;
  return block(`for (let ${at} = ${from}; ${at} < ${list}.length; ${at} += 1)`, [
    `const ${variable} = ${list}[${at}];`,
    ...lines,
  ]);
}

function block(head: string, lines: readonly string[]): string[] {
  return [`${head} {`, ...lines.map((line) => `  ${line}`), "}"];
}
