import type { ErrorObject } from "ajv";
import type { ValidationError } from "#generated/index.js";
import { previewValue } from "../text.js";
import { escapeControls, explain } from "../words.js";

/** Validates values against one schema. */
export interface RecordValidator {
  /** Undefined if there is no verdict: the schema takes too long on the value. `text`: how it is written. */
  isValid(value: unknown, text?: string): boolean | undefined;
  /** Errors of an invalid value, the innermost first. */
  errorsOf(value: unknown): readonly ValidationError[];
}

/** An error of Ajv. Only a verbose one has the schema and the value. */
type AjvError = Pick<ErrorObject, "keyword" | "params"> &
  Partial<Pick<ErrorObject, "message" | "schema" | "data">>;

/** An error of Ajv in words: in those of generated validators, as far as they have the keyword. */
export function explainAjvError(error: AjvError): Pick<ValidationError, "message" | "cause"> {
  const { keyword, params, data } = error;
  const said = explainAlike(error);
  if (said !== undefined) return said;
  const demand = Object.hasOwn(OTHERS, keyword) ? OTHERS[keyword]?.(params) : undefined;
  if (demand !== undefined) return { message: escapeControls(demand), cause: demand };
  return { message: escapeControls(`${error.message}, is ${previewValue(data)}`), cause: keyword };
}

/** Words for keywords that generated validators do not have. */
const OTHERS: Readonly<Record<string, (params: AjvError["params"]) => string>> = {
  unevaluatedProperties: ({ unevaluatedProperty }) =>
    `has ${previewValue(unevaluatedProperty)}, which no schema here allows`,
  unevaluatedItems: ({ unevaluatedItem }) =>
    `has an item at ${previewValue(Number(unevaluatedItem))}, which no schema here allows`,
};

/** What the words of a keyword are about, as Ajv names it; `limit` by default. */
const LIMITS: ReadonlyMap<string, string> = new Map([
  ...["type", "pattern", "format", "multipleOf"].map((name) => [name, name] as const),
  ["enum", "allowedValues"],
  ["const", "allowedValue"],
  ["required", "missingProperty"],
  ["additionalProperties", "additionalProperty"],
]);

function explainAlike({ keyword, params, schema, data }: AjvError) {
  switch (keyword) {
    case "dependentRequired":
      return explain(keyword, params.missingProperty, data, params.property);
    case "uniqueItems":
      return explain(keyword, [params.j, params.i], data);
    case "not":
      return explain(keyword, Object.keys(Object(schema)).length === 0, data);
    case "false schema":
      return explain("not", true, data);
    case "anyOf":
      return Array.isArray(schema) ? explain(keyword, schema.length, data) : undefined;
    default: {
      const limit: unknown = params[LIMITS.get(keyword) ?? "limit"];
      return limit === undefined ? undefined : explain(keyword, limit, data);
    }
  }
}

/** Whether the value of a `const` is the version of a schema, such as `rollout-wire/v1`. */
export function isSchemaVersion(value: unknown): boolean {
  return typeof value === "string" && /^[^/]+\/v\d+$/.test(value);
}
