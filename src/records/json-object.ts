/** A JSON object whose fields are not yet checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether `value`, as JSON.parse gives it, is a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
