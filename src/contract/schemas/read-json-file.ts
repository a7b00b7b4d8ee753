import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toReadError } from "../../base/files/source.js";
import { FileFault, throwFaults, toTextPosition } from "../../base/findings/finding.js";
import { findDuplicateKeys } from "../../base/json/text-faults.js";
import { type JsonObject, measureValue } from "../../base/json/value.js";
import { parseLine } from "../../base/jsonl/reader.js";

/** The text of a file, and the JSON object in it. */
export interface JsonFile {
  readonly text: string;
  readonly value: JsonObject;
}

/**
 * Reads the JSON file at the path `file` in the repository at `root`. Throws UserError (exit 3) if it cannot be read,
 * and FileFault, with the position, if readers could interpret it differently: `json` if it is not JSON in UTF-8, `type`
 * if it is not an object, `duplicate-key` for the repeated keys.
 */
export function readJsonFile(root: string, file: string): JsonFile {
  return parseJsonFile(readBytes(root, file), file);
}

/** The same for bytes that were already read, for example from a commit. */
export function parseJsonFile(bytes: Buffer, file: string): JsonFile {
  const parsed = parseLine(bytes);
  if ("fault" in parsed) {
    const { id, column, message } = parsed.fault;
    const position = toTextPosition(bytes.toString("utf8"), column - 1);
    throw new FileFault({ id, file, position, message: id === "json" ? `is ${message}` : message });
  }
  const { text, value } = parsed;
  throwFaults(
    findDuplicateKeys({ text, measure: measureValue(value) }).map(
      ({ pointer, column, message }) => ({
        id: "duplicate-key",
        file,
        pointer,
        position: toTextPosition(text, column - 1),
        message: `has ${message}: remove one of the two`,
      }),
    ),
  );
  return { text, value };
}

function readBytes(root: string, file: string): Buffer {
  try {
    return readFileSync(join(root, file));
  } catch (cause) {
    throw toReadError(file, cause);
  }
}
