/**
 * Whether a keyword refers to schemas in a way that draft 2020-12 does not know and Ajv does: what it says depends on
 * more than its value.
 */
export function refersUnseen(keyword: string, value: unknown): boolean {
  return keyword === "dependencies" && JSON.stringify(value).includes('"$ref"');
}
