/** Whether `text` is a pattern of ECMAScript, with the `u` flag as JSON Schema has it. */
export function isPattern(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}
