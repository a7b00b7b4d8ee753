import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../src/records/json-object.js";
import { parseLine } from "../src/records/parse-line.js";
import { toReadError } from "../src/records/to-read-error.js";
import { FileFault } from "./file-fault.js";
import { toTextPosition } from "./locate-in-text.js";
import { duplicateKey } from "./rules/duplicate-key.js";

/** A file of the repository that holds one JSON object. */
export interface JsonFile {
  readonly source: string;
  readonly value: JsonObject;
}

/**
 * Reads a JSON file, from the repository's root. Throws UserError (exit 3) when it cannot be read, and
 * FileFault, with the place, when two readers could see different things in it: `json` when it is empty,
 * not UTF-8 or not JSON, `type` when it is no object, `duplicate-key` for the first key that is repeated.
 */
export function readJsonFile(root: string, file: string): JsonFile {
  const bytes = readBytes(root, file);
  const parsed = parseLine(bytes);
  if ("fault" in parsed) {
    const { id, column, message } = parsed.fault;
    const position = toTextPosition(bytes.toString("utf8"), column - 1);
    const problem = id === "json" ? `is ${message}` : message;
    throw new FileFault({ id, file, position, problem });
  }
  const { text: source, value } = parsed;
  const [repeated] = duplicateKey.check(parsed);
  if (repeated === undefined) return { source, value };
  const { pointer, column, message } = repeated;
  const position = toTextPosition(source, column - 1);
  throw new FileFault({ id: duplicateKey.id, file, pointer, position, problem: `is ${message}` });
}

function readBytes(root: string, file: string): Buffer {
  try {
    return readFileSync(join(root, file));
  } catch (cause) {
    throw toReadError(file, cause);
  }
}
