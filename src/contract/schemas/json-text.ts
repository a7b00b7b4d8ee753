import canonicalize from "canonicalize";
import { describeSyntaxError, findInvalidUtf8 } from "../../base/json/syntax-error.js";
import { findDuplicateKeys, findLoneSurrogates } from "../../base/json/text-faults.js";
import { scanJson } from "../../base/json/tokens.js";
import { measureValue, type ValueMeasure } from "../../base/json/value.js";
import { UserError } from "../../base/user-error.js";

/** Limit on nesting that every implementation can handle; no schema needs as much. */
export const MAX_DEPTH = 200;

/** A lone surrogate. */
const LONE = /\p{Surrogate}/u;

const NO_MEASURE: ValueMeasure = { keys: 0, depth: 0, largest: 0 };

/**
 * Parses a JSON text that has a canonical form (RFC 8785). A byte-order mark is ignored. Throws JsonTextError for texts
 * that readers may interpret differently, which RFC 7493 (I-JSON) forbids.
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
  const [repeated] = findDuplicateKeys({ text, measure });
  if (repeated !== undefined) {
    const { column, message, pointer } = repeated;
    throw fault("duplicate-key", column - 1, `has ${message}: remove one of the two`, pointer);
  }
  const [lone] = findLoneSurrogates({ text });
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

/** Why a text has no canonical form. */
export interface JsonTextFault {
  /**
   * `json`: not JSON in UTF-8. `depth`: nested too deeply. `number`: exceeds a double. `duplicate-key` and
   * `well-formed-unicode` are as the semantic rules with these names.
   */
  readonly id: "json" | "depth" | "duplicate-key" | "well-formed-unicode" | "number";
  /** JSON Pointer of the fault; "" for the text as a whole. */
  readonly pointer: string;
  /** 0-based, in UTF-16 code units. */
  readonly offset: number;
  /** A sentence that follows the place, safe on a terminal. */
  readonly message: string;
}

/** A text has no canonical form, and so no hashes. */
export class JsonTextError extends UserError {
  readonly fault: JsonTextFault;

  constructor(fault: JsonTextFault) {
    super(`${fault.pointer} ${fault.message}`.trim());
    this.fault = fault;
  }
}

/**
 * The canonical text of a JSON value (RFC 8785). Throws UserError for lone surrogates and non-finite numbers, which have
 * none, and TypeError if it is not a JSON value.
 */
export function toCanonicalText(value: unknown): string {
  const text = tryToCanonicalize(value);
  if (text === undefined) throw new TypeError("only JSON values have a canonical form");
  return text;
}

function tryToCanonicalize(value: unknown): string | undefined {
  try {
    return canonicalize(value);
  } catch (error) {
    const reason = error instanceof RangeError ? "it is nested too deep" : String(error);
    throw new UserError(`has no canonical form (RFC 8785): ${reason}`);
  }
}
