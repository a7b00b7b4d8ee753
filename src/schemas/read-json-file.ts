import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toReadError } from "../files/source.js";
import { FileFault, toTextPosition } from "../findings/finding.js";
import { type JsonObject, measureValue } from "../json/value.js";
import { parseLine } from "../jsonl/reader.js";
import { duplicateKey } from "../validation/rules/duplicate-key.js";

/** A file's text, and the JSON object that it holds. */
export interface JsonFile {
  readonly text: string;
  readonly value: JsonObject;
}

/**
 * Reads a JSON file of the repository at `root`; `file` is its path from there. Throws UserError (exit 3) when
 * it cannot be read, and FileFault, with the place, when two readers could see different things in it: `json`
 * when it is not JSON in UTF-8, `type` when it is no object, `duplicate-key` for the first key that is repeated.
 */
export function readJsonFile(root: string, file: string): JsonFile {
  return parseJsonFile(readBytes(root, file), file);
}

/** The same for a file whose bytes are at hand, as of a commit. */
export function parseJsonFile(bytes: Buffer, file: string): JsonFile {
  const parsed = parseLine(bytes);
  if ("fault" in parsed) {
    const { id, column, message } = parsed.fault;
    const position = toTextPosition(bytes.toString("utf8"), column - 1);
    throw new FileFault({ id, file, position, message: id === "json" ? `is ${message}` : message });
  }
  const { text, value } = parsed;
  const [repeated] = duplicateKey.check({ text, measure: measureValue(value) });
  if (repeated === undefined) return { text, value };
  const { pointer, column, message } = repeated;
  throw new FileFault({
    id: duplicateKey.id,
    file,
    pointer,
    position: toTextPosition(text, column - 1),
    message: `has ${message}: remove one of the two`,
  });
}

function readBytes(root: string, file: string): Buffer {
  try {
    return readFileSync(join(root, file));
  } catch (cause) {
    throw toReadError(file, cause);
  }
}
