// @ts-check
/** Words for failed keywords of JSON Schema. A copy lies beside generated validators, so this imports nothing. */

/**
 * Characters that a terminal interprets instead of displaying: control characters, format characters
 * (bidirectional overrides, zero-width), line and paragraph separators, and lone surrogates.
 */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Escapes every character of `UNSHOWN` as `\uXXXX`, so that `text` is safe to print and stays on one line.
 * @param {string} text
 * @returns {string}
 */
export function escapeControls(text) {
  if (/^[ -~]*$/.test(text)) return text;
  return text.replace(UNSHOWN, (character) => {
    const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
}

/** Longest preview of a value in a message, in UTF-16 code units: about one line of a terminal. */
const MAX_SHOWN = 60;

/** Most literals that a message lists. */
const MAX_LISTED = 20;

/**
 * Previews a JSON value for a message: short, on one line, safe to print. Arrays and objects are named, not
 * printed, so that huge or deeply nested ones cost nothing.
 * @param {unknown} value
 * @returns {string}
 */
export function previewValue(value) {
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : "an array";
  if (typeof value === "object" && value !== null) return "an object";
  // JSON.stringify escapes quotes, backslashes, and the lone surrogates that slicing may leave.
  if (typeof value === "string") return escapeControls(JSON.stringify(shorten(value)));
  return String(value);
}

/**
 * @param {string} text
 * @returns {string}
 */
function shorten(text) {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}

/**
 * A literal of a schema: unlike in the preview of a record's value, arrays and objects are printed.
 * @param {unknown} value
 * @returns {string}
 */
function printLiteral(value) {
  if (typeof value !== "object" || value === null) return previewValue(value);
  return escapeControls(shorten(JSON.stringify(value)));
}

/**
 * Joins one value or a list: `a`, `a or b`, `a, b or c`.
 * @param {unknown} values
 * @param {(value: unknown) => string} show
 * @param {string} [word]
 * @returns {string}
 */
export function alternatives(values, show, word = "or") {
  const all = Array.isArray(values) ? values : [values];
  const shown = all.slice(0, MAX_LISTED).map(show);
  const last = all.length > MAX_LISTED ? `${all.length - MAX_LISTED} more` : (shown.pop() ?? "");
  return shown.length === 0 ? last : `${shown.join(", ")} ${word} ${last}`;
}

/**
 * A JSON Schema type name as a noun: `a string`, `an object`, `null`.
 * @param {unknown} type
 * @returns {string}
 */
export function withArticle(type) {
  const name = String(type);
  if (name === "null") return name;
  return `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`;
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function is(value) {
  return `is ${previewValue(value)}`;
}

/**
 * @param {string} relation
 * @param {unknown} limit
 * @returns {string}
 */
function containing(relation, limit) {
  return `must have ${relation} ${limit} ${limit === 1 ? "item that matches" : "items that match"} "contains"`;
}

/**
 * @param {string} relation
 * @param {unknown} limit
 * @returns {string}
 */
function properties(relation, limit) {
  return `must have ${relation} ${limit} ${limit === 1 ? "property" : "properties"}`;
}

/**
 * What a keyword demands, and what the record has instead; without that if it goes without saying.
 * @typedef {readonly [demand: string, found?: string]} Sentence
 */

/**
 * One sentence per keyword. `limit` is its value in the schema, or what the comment says.
 * @type {Readonly<Record<string, (limit: unknown, value: unknown, more?: unknown) => Sentence>>}
 */
const SENTENCES = {
  type: (types, value) => [`must be ${alternatives(types, withArticle)}`, is(value)],
  const: (literal, value) => [`must be ${printLiteral(literal)}`, is(value)],
  enum: (literals, value) => [`must be ${alternatives(literals, printLiteral)}`, is(value)],
  multipleOf: (step, value) => [`must be a multiple of ${step}`, is(value)],
  minimum: (limit, value) => [`must be >= ${limit}`, is(value)],
  maximum: (limit, value) => [`must be <= ${limit}`, is(value)],
  exclusiveMinimum: (limit, value) => [`must be > ${limit}`, is(value)],
  exclusiveMaximum: (limit, value) => [`must be < ${limit}`, is(value)],
  minLength: (limit, value) =>
    limit === 1 ? ["must not be empty"] : [`must have at least ${limit} characters`, is(value)],
  maxLength: (limit, value) => [`must NOT have more than ${limit} characters`, is(value)],
  pattern: (pattern, value) => [`must match ${pattern}`, is(value)],
  format: (format, value) => [`must match format "${format}"`, is(value)],
  minItems: (limit, value) => [
    `must have at least ${limit} items`,
    `has ${Array.isArray(value) ? value.length : 0}`,
  ],
  maxItems: (limit, value) => [`must NOT have more than ${limit} items`, is(value)],
  // The indices of two items.
  uniqueItems: (pair) => [
    "must not have equal items",
    `items ${alternatives(pair, String, "and")} are equal`,
  ],
  // `more`: how many there are.
  minContains: (limit, _, count) => [containing("at least", limit), `has ${count}`],
  maxContains: (limit, _, count) => [containing("at most", limit), `has ${count}`],
  // The name of the property.
  required: (name) => [`lacks ${previewValue(name)}`],
  minProperties: (limit, value) => [properties("at least", limit), `has ${keyCount(value)}`],
  maxProperties: (limit, value) => [properties("at most", limit), `has ${keyCount(value)}`],
  // The name of the property that is missing; `more`: of the one that demands it.
  dependentRequired: (name, _, by) => [
    `lacks ${previewValue(name)}, which ${previewValue(by)} demands`,
  ],
  // The demand that a name fails; `more`: the name.
  propertyNames: (demand, _, name) => [`has ${previewValue(name)}, whose name ${demand}`],
  // The name of the property.
  additionalProperties: (name) => [`has ${previewValue(name)}, which is not allowed here`],
  // The number of members, or the types of all of them.
  anyOf: (members, value) =>
    typeof members === "number"
      ? [`must match one of ${members} schemas`, is(value)]
      : [`must be ${alternatives(members, withArticle)}`, is(value)],
  // The number of members, none of which matches.
  none: (count) => [`matches none of the ${count} schemas here`],
  // The number of members that match; `more`: their names.
  several: (count, _, names) => {
    const said = names === undefined ? "" : ` (${alternatives(names, String, "and")})`;
    return [`matches ${count} schemas here${said}, and only one may hold`];
  },
  // Whether it excludes nothing in particular.
  not: (isAll, value) =>
    isAll === true ? ["is not allowed here"] : ['must not match the schema in "not"', is(value)],
  nesting: (limit) => [`is nested in itself more than ${limit} times`],
};

/**
 * @param {unknown} value
 * @returns {number}
 */
function keyCount(value) {
  return Object.keys(Object(value)).length;
}

/**
 * A failed keyword in words, without its location: `must be 0 or 1, is 7`, `lacks "task"`. Values from the record are
 * shortened and escaped for the terminal. `cause` is what was demanded, whatever the record has instead; for `required`,
 * the name of the property. Undefined if there are no words for the keyword.
 * @param {string} keyword
 * @param {unknown} limit
 * @param {unknown} value
 * @param {unknown} [more]
 * @returns {{ readonly message: string, readonly cause: string } | undefined}
 */
export function explain(keyword, limit, value, more) {
  if (!Object.hasOwn(SENTENCES, keyword)) return undefined;
  const [demand = "", found] = SENTENCES[keyword]?.(limit, value, more) ?? [];
  const message = escapeControls(found === undefined ? demand : `${demand}, ${found}`);
  return { message, cause: keyword === "required" ? String(limit) : demand };
}
