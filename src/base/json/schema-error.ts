import type { ValidationError } from "#generated/index.js";
import { escapeControls, previewValue } from "../text.js";
import { resolvePointer } from "./pointer.js";

/** Validates values against one schema. */
export interface RecordValidator {
  /** Undefined if there is no verdict: the schema takes too long on the value. `text`: how it is written. */
  isValid(value: unknown, text?: string): boolean | undefined;
  /** Errors of an invalid value, the innermost first. */
  errorsOf(value: unknown): readonly ValidationError[];
}

/** What a schema demands, and what the record has instead; undefined if that goes without saying. */
type Sentence = (
  params: ValidationError["params"],
  value: unknown,
) => readonly [demand: string, found?: string];

/** One sentence per JSON Schema keyword. Any other keyword gets Ajv's message. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  required: ({ missingProperty }) => [`lacks ${previewValue(missingProperty)}`],
  additionalProperties: ({ additionalProperty }) => [
    `has ${previewValue(additionalProperty)}, which is not allowed here`,
  ],
  unevaluatedProperties: ({ unevaluatedProperty }) => [
    `has ${previewValue(unevaluatedProperty)}, which no schema here allows`,
  ],
  unevaluatedItems: ({ unevaluatedItem }) => [
    `has an item at ${previewValue(Number(unevaluatedItem))}, which no schema here allows`,
  ],
  type: ({ type }, value) => [`must be ${alternatives(type, withArticle)}`, is(value)],
  enum: ({ allowedValues }, value) => [
    `must be ${alternatives(allowedValues, previewValue)}`,
    is(value),
  ],
  const: ({ allowedValue }, value) => [`must be ${previewValue(allowedValue)}`, is(value)],
  pattern: ({ pattern }, value) => [`must match ${pattern}`, is(value)],
  minLength: ({ limit }, value) =>
    limit === 1 ? ["must not be empty"] : [`must have at least ${limit} characters`, is(value)],
  minItems: ({ limit }, value) => [
    `must have at least ${limit} items`,
    `has ${Array.isArray(value) ? value.length : 0}`,
  ],
};

function is(value: unknown): string {
  return `is ${previewValue(value)}`;
}

/** A failed keyword in words. */
export interface ErrorDescription {
  readonly message: string;
  /** What was demanded, whatever the record has instead; for `required`, the name of the property. */
  readonly cause: string;
}

/**
 * Describes a failed keyword without its location: `must be 0 or 1, is 7`, `lacks "task"`. Values from the
 * record are shortened and escaped for the terminal.
 */
export function explainError(error: ValidationError, record: unknown): ErrorDescription {
  const { keyword, pointer, params } = error;
  const value = resolvePointer(record, pointer);
  const sentence = Object.hasOwn(SENTENCES, keyword) ? SENTENCES[keyword] : undefined;
  const [demand, found] = sentence?.(params, value) ?? [error.message, is(value)];
  const message = escapeControls(found === undefined ? demand : `${demand}, ${found}`);
  if (keyword === "required") return { message, cause: String(params.missingProperty) };
  // Ajv's message may name places in the value.
  const bound = params.limit ?? params.format ?? params.multipleOf ?? "";
  return { message, cause: sentence === undefined ? `${keyword} ${bound}` : demand };
}

/** The message alone. */
export function describeError(error: ValidationError, record: unknown): string {
  return explainError(error, record).message;
}

/** Joins one value or a list: `a`, `a or b`, `a, b or c`. */
export function alternatives(values: unknown, show: (value: unknown) => string): string {
  const shown = (Array.isArray(values) ? values : [values]).map(show);
  const last = shown.pop() ?? "";
  return shown.length === 0 ? last : `${shown.join(", ")} or ${last}`;
}

/** A JSON Schema type name as a noun: `a string`, `an object`, `null`. */
export function withArticle(type: unknown): string {
  const name = String(type);
  if (name === "null") return name;
  return `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`;
}

/** Whether the value of a `const` is the version of a schema, such as `rollout-wire/v1`. */
export function isSchemaVersion(value: unknown): boolean {
  return typeof value === "string" && /^[^/]+\/v\d+$/.test(value);
}
