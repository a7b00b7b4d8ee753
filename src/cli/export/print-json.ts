/** A JSON file for people and programs: indented, with a newline at its end. */
export function printJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
