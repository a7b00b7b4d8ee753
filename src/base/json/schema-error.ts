import type { ValidationError } from "#generated/index.js";
import { escapeControls, previewValue } from "../text.js";
import { resolvePointer } from "./pointer.js";

/** Validates values against one schema. */
export interface RecordValidator {
  /** Undefined if there is no verdict: the schema takes too long on the value. */
  isValid(value: unknown): boolean | undefined;
  /** Errors of an invalid value, the innermost first. */
  errorsOf(value: unknown): readonly ValidationError[];
}

type Sentence = (params: ValidationError["params"], value: unknown) => string;

/** One message per JSON Schema keyword. Any other keyword gets Ajv's message. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  required: ({ missingProperty }) => `lacks ${previewValue(missingProperty)}`,
  additionalProperties: ({ additionalProperty }) =>
    `has ${previewValue(additionalProperty)}, which is not allowed here`,
  type: ({ type }, value) =>
    `must be ${alternatives(type, withArticle)}, is ${previewValue(value)}`,
  enum: ({ allowedValues }, value) =>
    `must be ${alternatives(allowedValues, previewValue)}, is ${previewValue(value)}`,
  const: ({ allowedValue }, value) =>
    `must be ${previewValue(allowedValue)}, is ${previewValue(value)}`,
  pattern: ({ pattern }, value) => `must match ${pattern}, is ${previewValue(value)}`,
  minLength: ({ limit }, value) =>
    limit === 1
      ? "must not be empty"
      : `must have at least ${limit} characters, is ${previewValue(value)}`,
  minItems: ({ limit }, value) =>
    `must have at least ${limit} items, has ${Array.isArray(value) ? value.length : 0}`,
};

/**
 * Describes a failed keyword without its location: `must be 0 or 1, is 7`, `lacks "task"`. Values from the
 * record are shortened and escaped for the terminal.
 */
export function describeError(error: ValidationError, record: unknown): string {
  const value = resolvePointer(record, error.pointer);
  const sentence = Object.hasOwn(SENTENCES, error.keyword) ? SENTENCES[error.keyword] : undefined;
  return escapeControls(
    sentence?.(error.params, value) ?? `${error.message}, is ${previewValue(value)}`,
  );
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
