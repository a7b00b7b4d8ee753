import { describeSyntaxError, findInvalidUtf8 } from "../../src/json/syntax-error.js";
import { scanJson } from "../../src/json/tokens.js";
import { measureValue, type ValueMeasure } from "../../src/json/value.js";
import { duplicateKey } from "../../src/validation/rules/duplicate-key.js";
import { wellFormedUnicode } from "../../src/validation/rules/well-formed-unicode.js";
import { JsonTextError, type JsonTextFault } from "./json-text-error.js";

/** Arrays and objects within each other that every implementation walks; no schema needs as many. */
export const MAX_DEPTH = 200;

/** Half of a pair in a text that is read by code points. */
const LONE = /\p{Surrogate}/u;

const NO_MEASURE: ValueMeasure = { keys: 0, depth: 0, largest: 0 };

/**
 * The value of a JSON text that has a canonical form (RFC 8785). A byte-order mark is passed over. Throws
 * JsonTextError for what every reader may see otherwise: RFC 7493 (I-JSON) forbids it.
 */
export function parseJsonText(source: string | Uint8Array): unknown {
  const whole = typeof source === "string" ? source : decode(Buffer.from(source));
  const text = whole.replace(/^\ufeff/, "");
  const value = parse(text);
  const isContainer = typeof value === "object" && value !== null;
  const measure = isContainer ? measureValue(value) : NO_MEASURE;
  if (measure.depth > MAX_DEPTH) {
    throw fault("depth", 0, `is nested more than ${MAX_DEPTH} levels deep`);
  }
  const [repeated] = duplicateKey.check({ text, measure });
  if (repeated !== undefined) {
    const { column, message, pointer } = repeated;
    throw fault("duplicate-key", column - 1, `has ${message}: remove one of the two`, pointer);
  }
  const [lone] = wellFormedUnicode.check({ text });
  if (lone !== undefined) {
    const { column, message, pointer } = lone;
    throw fault("well-formed-unicode", column - 1, message, pointer);
  }
  const raw = LONE.exec(text);
  if (raw !== null) throw fault("well-formed-unicode", raw.index, "holds a lone surrogate");
  const largest = typeof value === "number" ? Math.abs(value) : measure.largest;
  if (largest === Infinity) throw findNumber(text);
  return value;
}

function decode(bytes: Buffer): string {
  const invalid = findInvalidUtf8(bytes);
  if (invalid === undefined) return bytes.toString("utf8");
  const offset = bytes.toString("utf8", 0, invalid).length;
  const byte = bytes.toString("hex", invalid, invalid + 1);
  throw fault("json", offset, `is not UTF-8: byte 0x${byte}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { column, message } = describeSyntaxError(text, error);
    throw fault("json", column - 1, `is ${message}`);
  }
}

function findNumber(text: string): JsonTextError {
  for (const { kind, start, end, pointer } of scanJson(text)) {
    const isEndless = kind === "number" && !Number.isFinite(Number(text.slice(start, end)));
    if (isEndless) return fault("number", start, "is a number beyond a double", pointer());
  }
  throw new RangeError("no number of the text is beyond a double");
}

function fault(
  id: JsonTextFault["id"],
  offset: number,
  message: string,
  pointer: string = "",
): JsonTextError {
  return new JsonTextError({ id, offset, message, pointer });
}
