import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeSyntaxError } from "../src/records/describe-syntax-error.js";
import { findInvalidUtf8 } from "../src/records/find-invalid-utf8.js";
import { isJsonObject } from "../src/records/json-object.js";
import { measureValue } from "../src/records/measure-value.js";
import { toReadError } from "../src/records/to-read-error.js";
import { FileFault } from "./file-fault.js";
import { toTextPosition } from "./locate-in-text.js";
import { duplicateKey } from "./rules/duplicate-key.js";

/** A file's text, and what it says. */
export interface JsonFile {
  readonly text: string;
  readonly value: unknown;
}

/**
 * Reads a JSON file of the repository at `root`; `file` is its path from there. Throws UserError (exit 3) when
 * it cannot be read, and FileFault, with the place: `json` when it is not JSON in UTF-8, `duplicate-key` when
 * it says something that parsing drops without a word.
 */
export function readJsonFile(root: string, file: string): JsonFile {
  const text = decode(file, readBytes(root, file));
  const value = parse(file, text);
  const [twice] = isJsonObject(value)
    ? duplicateKey.check({ text, value, measure: measureValue(value) })
    : [];
  if (twice !== undefined) {
    const { pointer, column, message } = twice;
    const position = toTextPosition(text, column - 1);
    throw new FileFault({
      ...{ id: duplicateKey.id, file, pointer, position },
      message: `has ${message}: remove one of the two`,
    });
  }
  return { text, value };
}

function readBytes(root: string, file: string): Buffer {
  try {
    return readFileSync(join(root, file));
  } catch (error) {
    throw toReadError(file, error);
  }
}

function decode(file: string, bytes: Buffer): string {
  const text = bytes.toString("utf8");
  const invalid = findInvalidUtf8(bytes);
  if (invalid === undefined) return text;
  const position = toTextPosition(text, bytes.toString("utf8", 0, invalid).length);
  const message = `is not UTF-8: byte 0x${bytes.toString("hex", invalid, invalid + 1)}`;
  throw new FileFault({ id: "json", file, position, message });
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { column, message } = describeSyntaxError(text, error);
    const position = toTextPosition(text, column - 1);
    throw new FileFault({ id: "json", file, position, message: `is ${message}` });
  }
}
