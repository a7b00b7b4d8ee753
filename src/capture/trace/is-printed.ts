/** Texts that programs print for a number or a boolean; also Python's `True` and its `inf`. */
const PRINTED =
  /^\s*(?:[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?|[-+]?inf(?:inity)?|nan|true|false)\s*$/i;

/** Whether a text is a number or a boolean that was printed into it. */
export function isPrinted(text: string): boolean {
  return PRINTED.test(text);
}
