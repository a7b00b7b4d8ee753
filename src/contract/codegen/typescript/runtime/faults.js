// @ts-check
/** Says why a value is invalid, by walking the nodes of its schema as data. */
import { explain } from "../../../../base/words.js";
import { findTag, listTypes, mayAccept } from "./members.js";
import { areEqual, findEqual, hasLength, isMultiple, ownValue } from "./values.js";

/** @import { Definition, Node } from "./members.js" */

/**
 * One failed keyword of JSON Schema: the JSON Pointer of the value, the keyword, what is wrong, and what was demanded,
 * whatever the value is.
 * @typedef {{ readonly pointer: string, readonly keyword: string, readonly message: string, readonly cause: string }} Fault
 */

/** @typedef {Readonly<Record<string, (text: string) => boolean>>} Formats */

/** @typedef {{ readonly [key: string]: unknown }} JsonObject */

/** How often a recursive definition may be nested in itself: Python's stack is not much deeper. */
export const MAX_NESTING = 100;

/**
 * All faults of a value, each once; empty if it is valid.
 * @param {Definition} definition
 * @param {unknown} value
 * @param {Formats} formats
 * @returns {Fault[]}
 */
export function findFaults(definition, value, formats) {
  if (definition.is(value)) return [];
  const walk = new Walk(formats);
  walk.visitDefinition(definition, value, "");
  if (walk.faults.length <= 1) return walk.faults;
  const said = new Set();
  return walk.faults.filter(({ pointer, keyword, message }) => {
    const key = `${pointer}\n${keyword}\n${message}`;
    const isNew = !said.has(key);
    said.add(key);
    return isNew;
  });
}

/** A walk through a value. */
class Walk {
  /** @type {Fault[]} */
  faults = [];
  /** Whether only the verdict counts: then one fault is enough, in no words. */
  #isJudging;
  #formats;
  /** How many values of each recursive definition contain the current one. */
  #depths;

  /**
   * @param {Formats} formats
   * @param {Map<Definition, number>} depths
   * @param {boolean} isJudging
   */
  constructor(formats, depths = new Map(), isJudging = false) {
    this.#formats = formats;
    this.#depths = depths;
    this.#isJudging = isJudging;
  }

  /**
   * @param {Definition} definition
   * @param {unknown} value
   * @param {string} pointer
   */
  visitDefinition(definition, value, pointer) {
    const { node, is, isRecursive } = definition;
    // The guard of a recursive definition does not know how deep the value is.
    if (isRecursive !== true) {
      if (is(value)) return;
      if (this.#isJudging) this.#say(pointer, "not", true, value);
      else this.#visit(node, value, pointer);
      return;
    }
    const depth = this.#depths.get(definition) ?? 0;
    if (depth > MAX_NESTING) {
      this.#say(pointer, "nesting", MAX_NESTING, value);
      return;
    }
    this.#depths.set(definition, depth + 1);
    this.#visit(node, value, pointer);
    this.#depths.set(definition, depth);
  }

  get #isDecided() {
    return this.#isJudging && this.faults.length > 0;
  }

  /**
   * @param {Node} node
   * @param {unknown} value
   * @returns {boolean}
   */
  #accepts(node, value) {
    const judge = new Walk(this.#formats, this.#depths, true);
    judge.#visit(node, value, "");
    return judge.faults.length === 0;
  }

  /**
   * Adds a fault in words. Those of `contains` are words of its limits, those of unions say what is wrong.
   * @param {string} pointer
   * @param {string} words
   * @param {unknown} limit
   * @param {unknown} value
   * @param {unknown} [more]
   */
  #say(pointer, words, limit, value, more, keyword = words) {
    const said = this.#isJudging ? undefined : explain(words, limit, value, more);
    this.faults.push({ pointer, keyword, ...(said ?? { message: "", cause: "" }) });
  }

  /**
   * @param {Node} node
   * @param {unknown} value
   * @param {string} pointer
   */
  #visit(node, value, pointer) {
    if (node.$ref !== undefined) this.visitDefinition(node.$ref(), value, pointer);
    const { type, enum: literals } = node;
    if (type !== undefined && !isOfTypes(value, type)) {
      this.#say(pointer, "type", type, value);
      return;
    }
    if ("const" in node && !areEqual(value, node.const)) {
      this.#say(pointer, "const", node.const, value);
    }
    if (literals !== undefined && !literals.some((each) => areEqual(value, each))) {
      this.#say(pointer, "enum", literals, value);
    }
    if (isNumber(value)) this.#visitNumber(node, value, pointer);
    else if (typeof value === "string") this.#visitText(node, value, pointer);
    else if (Array.isArray(value)) this.#visitArray(node, value, pointer);
    else if (isObject(value)) this.#visitObject(node, value, pointer);
    this.#visitMembers(node, value, pointer);
  }

  /**
   * @param {Node} node
   * @param {number} value
   * @param {string} pointer
   */
  #visitNumber(node, value, pointer) {
    const { multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = node;
    if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
      this.#say(pointer, "multipleOf", multipleOf, value);
    }
    if (minimum !== undefined && !(value >= minimum)) this.#say(pointer, "minimum", minimum, value);
    if (maximum !== undefined && !(value <= maximum)) this.#say(pointer, "maximum", maximum, value);
    if (exclusiveMinimum !== undefined && !(value > exclusiveMinimum)) {
      this.#say(pointer, "exclusiveMinimum", exclusiveMinimum, value);
    }
    if (exclusiveMaximum !== undefined && !(value < exclusiveMaximum)) {
      this.#say(pointer, "exclusiveMaximum", exclusiveMaximum, value);
    }
  }

  /**
   * @param {Node} node
   * @param {string} value
   * @param {string} pointer
   */
  #visitText(node, value, pointer) {
    const { minLength = 0, maxLength, pattern, format } = node;
    if (!hasLength(value, minLength)) this.#say(pointer, "minLength", minLength, value);
    if (maxLength !== undefined && hasLength(value, maxLength + 1)) {
      this.#say(pointer, "maxLength", maxLength, value);
    }
    if (pattern !== undefined && !matches(value, pattern)) {
      this.#say(pointer, "pattern", pattern, value);
    }
    if (format !== undefined && this.#formats[format]?.(value) === false) {
      this.#say(pointer, "format", format, value);
    }
  }

  /**
   * @param {Node} node
   * @param {readonly unknown[]} items
   * @param {string} pointer
   */
  #visitArray(node, items, pointer) {
    const { minItems = 0, maxItems, contains, minContains = 1, maxContains } = node;
    if (items.length < minItems) this.#say(pointer, "minItems", minItems, items);
    if (maxItems !== undefined && items.length > maxItems) {
      this.#say(pointer, "maxItems", maxItems, items);
    }
    const pair = node.uniqueItems === true ? findEqual(items) : undefined;
    if (pair !== undefined) this.#say(pointer, "uniqueItems", pair, items);
    if (contains !== undefined) {
      const count = items.filter((item) => this.#accepts(contains, item)).length;
      const say = (/** @type {string} */ words, /** @type {number} */ limit) =>
        this.#say(pointer, words, limit, items, count, "contains");
      if (count < minContains) say("minContains", minContains);
      if (maxContains !== undefined && count > maxContains) say("maxContains", maxContains);
    }
    const { prefixItems = [], items: rest } = node;
    const end = rest === undefined ? Math.min(prefixItems.length, items.length) : items.length;
    for (let at = 0; at < end && !this.#isDecided; at += 1) {
      const item = prefixItems[at] ?? rest;
      if (item !== undefined) this.#visit(item, items[at], `${pointer}/${at}`);
    }
  }

  /**
   * @param {Node} node
   * @param {JsonObject} value
   * @param {string} pointer
   */
  #visitObject(node, value, pointer) {
    for (const name of node.required ?? []) {
      if (valueAt(value, name) === undefined) this.#say(pointer, "required", name, value);
    }
    const { properties = {}, additionalProperties = true } = node;
    const keys = saysOfKeys(node) ? keysOf(value) : [];
    this.#visitKeys(node, keys, value, pointer);
    const patterns = Object.entries(node.patternProperties ?? {});
    const isExtra = (/** @type {string} */ key) =>
      !Object.hasOwn(properties, key) && !patterns.some(([pattern]) => matches(key, pattern));
    if (additionalProperties === false) {
      for (const key of keys) {
        if (isExtra(key)) this.#say(pointer, "additionalProperties", key, value);
      }
    }
    const visitByPattern = (/** @type {string} */ key) => {
      for (const [pattern, each] of patterns) {
        if (matches(key, pattern)) this.#visit(each, value[key], `${pointer}/${toToken(key)}`);
      }
    };
    for (const key of Object.keys(properties)) {
      if (this.#isDecided) return;
      const [property, given] = [properties[key], valueAt(value, key)];
      if (given === undefined || property === undefined) continue;
      this.#visit(property, given, `${pointer}/${toToken(key)}`);
      visitByPattern(key);
    }
    for (const key of keys) {
      if (this.#isDecided) return;
      if (value[key] === undefined || Object.hasOwn(properties, key)) continue;
      visitByPattern(key);
      if (typeof additionalProperties !== "object" || !isExtra(key)) continue;
      this.#visit(additionalProperties, value[key], `${pointer}/${toToken(key)}`);
    }
  }

  /**
   * What is said of keys, whatever their values are.
   * @param {Node} node
   * @param {readonly string[]} keys
   * @param {JsonObject} value
   * @param {string} pointer
   */
  #visitKeys(node, keys, value, pointer) {
    const { minProperties = 0, maxProperties, dependentRequired, propertyNames } = node;
    if (keys.length < minProperties) this.#say(pointer, "minProperties", minProperties, value);
    if (maxProperties !== undefined && keys.length > maxProperties) {
      this.#say(pointer, "maxProperties", maxProperties, value);
    }
    for (const [name, demanded] of Object.entries(dependentRequired ?? {})) {
      if (valueAt(value, name) === undefined) continue;
      for (const other of demanded) {
        if (valueAt(value, other) !== undefined) continue;
        this.#say(pointer, "dependentRequired", other, value, name);
      }
    }
    if (propertyNames === undefined) return;
    for (const key of keys) {
      const walk = new Walk(this.#formats, this.#depths, this.#isJudging);
      walk.#visit(propertyNames, key, "");
      // What a name fails first.
      const [first] = walk.faults;
      if (first !== undefined) this.#say(pointer, "propertyNames", first.cause, value, key);
    }
  }

  /**
   * @param {Node} node
   * @param {unknown} value
   * @param {string} pointer
   */
  #visitMembers(node, value, pointer) {
    const { allOf, anyOf, oneOf, not } = node;
    if (allOf !== undefined) for (const member of allOf) this.#visit(member, value, pointer);
    if (anyOf !== undefined && !anyOf.some((member) => this.#accepts(member, value))) {
      this.#visitNone("anyOf", anyOf, value, pointer);
    }
    if (oneOf !== undefined) this.#visitOneOf(oneOf, value, pointer);
    if (not !== undefined && this.#accepts(not, value)) {
      this.#say(pointer, "not", Object.keys(not).length === 0, value);
    }
    if (node.if !== undefined) {
      const branch = this.#accepts(node.if, value) ? node.then : node.else;
      if (branch !== undefined) this.#visit(branch, value, pointer);
    }
    if (node.dependentSchemas === undefined || !isObject(value)) return;
    for (const [name, schema] of Object.entries(node.dependentSchemas)) {
      if (valueAt(value, name) !== undefined) this.#visit(schema, value, pointer);
    }
  }

  /**
   * @param {readonly Node[]} members
   * @param {unknown} value
   * @param {string} pointer
   */
  #visitOneOf(members, value, pointer) {
    const matching = members.filter((member) => this.#accepts(member, value));
    if (matching.length === 0) this.#visitNone("oneOf", members, value, pointer);
    if (matching.length <= 1) return;
    const names = matching.flatMap((member) =>
      Object.keys(member).length === 1 && member.$ref !== undefined ? [member.$ref().name] : [],
    );
    const said = names.length === matching.length ? names : undefined;
    this.#say(pointer, "several", matching.length, value, said, "oneOf");
  }

  /**
   * Why no member of a union accepts a value: the faults of the member that was meant, if that is clear.
   * @param {"anyOf" | "oneOf"} keyword
   * @param {readonly Node[]} members
   * @param {unknown} value
   * @param {string} pointer
   */
  #visitNone(keyword, members, value, pointer) {
    const count = members.length;
    const meant = this.#isJudging ? [] : members.filter((member) => mayAccept(member, value));
    const [only] = meant;
    if (only === undefined) {
      this.#say(pointer, "anyOf", listTypes(members) ?? count, value, undefined, keyword);
      return;
    }
    if (meant.length === 1) {
      this.#visit(only, value, pointer);
      return;
    }
    const tag = isObject(value) ? findTag(meant) : undefined;
    if (tag === undefined || !isObject(value)) {
      this.#say(pointer, "none", count, value, undefined, keyword);
      return;
    }
    const given = valueAt(value, tag.name);
    const member = meant[tag.values.findIndex((texts) => texts.includes(given))];
    if (given === undefined) this.#say(pointer, "required", tag.name, value);
    else if (member !== undefined) this.#visit(member, value, pointer);
    else this.#say(`${pointer}/${toToken(tag.name)}`, "enum", tag.values.flat(), given);
  }
}

/**
 * @param {unknown} value
 * @param {string | readonly string[]} types
 * @returns {boolean}
 */
function isOfTypes(value, types) {
  return typeof types === "string"
    ? isOfType(value, types)
    : types.some((each) => isOfType(value, each));
}

/**
 * @param {unknown} value
 * @param {string} type
 * @returns {boolean}
 */
function isOfType(value, type) {
  if (type === "integer") return Number.isInteger(value);
  if (type === "number") return isNumber(value);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  return type === "object" ? isObject(value) : typeof value === type;
}

/**
 * Infinity is no number of JSON.
 * @param {unknown} value
 * @returns {value is number}
 */
function isNumber(value) {
  return Number.isFinite(value);
}

/**
 * @param {unknown} value
 * @returns {value is JsonObject}
 */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether a node says more of keys than what the values of some are.
 * @param {Node} node
 * @returns {boolean}
 */
function saysOfKeys(node) {
  const { additionalProperties = true } = node;
  return (
    additionalProperties !== true ||
    node.patternProperties !== undefined ||
    node.propertyNames !== undefined ||
    node.minProperties !== undefined ||
    node.maxProperties !== undefined
  );
}

/**
 * @param {JsonObject} value
 * @returns {string[]}
 */
function keysOf(value) {
  const keys = [];
  for (const key in value) keys.push(key);
  return keys;
}

/**
 * The value of a property. What a class has of its own counts, what every object has does not.
 * @param {JsonObject} value
 * @param {string} name
 * @returns {unknown}
 */
function valueAt(value, name) {
  return name in Object.prototype ? ownValue(value, name) : value[name];
}

/**
 * @param {string} key
 * @returns {string}
 */
function toToken(key) {
  return /[~/]/.test(key) ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}

/** @type {Map<string, RegExp>} */
const compiled = new Map();

/**
 * @param {string} text
 * @param {string} pattern
 * @returns {boolean}
 */
function matches(text, pattern) {
  const known = compiled.get(pattern) ?? new RegExp(pattern, "u");
  compiled.set(pattern, known);
  return known.test(text);
}
