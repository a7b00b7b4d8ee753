import { describeSyntaxError } from "../src/records/describe-syntax-error.js";
import { FileFault } from "./file-fault.js";
import { toTextPosition } from "./locate-in-text.js";

/** The JSON value that the text of `file` is. Throws FileFault (`json`), with the place, when it is none. */
export function parseJsonFile(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { column, message } = describeSyntaxError(text, error);
    const position = toTextPosition(text, column - 1);
    throw new FileFault({ id: "json", file, position, problem: `is ${message}` });
  }
}
