import type { AdapterFault, AdapterVerdict } from "#generated/index.js";
import { resolvePointer } from "../../src/base/json/pointer.js";

/** A fault that only one of two implementations reports. */
export interface LoneFault {
  readonly fault: AdapterFault;
  /** The record as parsed by JSON.parse. */
  readonly record: unknown;
  /** The record as JSON. */
  readonly text: string;
  /** The verdict of the first implementation. */
  readonly ours: AdapterVerdict;
  /** The verdict of the implementation that differs. */
  readonly theirs: AdapterVerdict;
}

/**
 * A known and accepted difference: a referee departs from the specifications, or they leave the choice to the
 * implementation, or two languages have other numbers. It excuses nothing else.
 */
export interface KnownDifference {
  readonly id: string;
  /** The implementations that differ. */
  readonly adapters: readonly string[];
  /** What differs, and what the specification says. */
  readonly reason: string;
  /** Whether it explains why only one side reports the fault. */
  explains(lone: LoneFault): boolean;
}

/** Keywords whose failure has reasons in other schemas, or which the normal form of a schema has under another name. */
export const NESTING = [
  ...["anyOf", "oneOf", "if", "contains", "propertyNames", "not"],
  ...["unevaluatedProperties", "unevaluatedItems", "additionalItems"],
];

/** Keywords by which numbers differ that are one number for a language. */
const OF_NUMBERS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
const OF_VALUES = [...NESTING, "uniqueItems", "minContains", "maxContains"];

/** Maximum nesting that jsonschema-rs accepts; the record itself is level 1. */
const MAX_DEPTH = 255;

/** How often ours let a definition be nested in itself. */
const MAX_NESTED = 100;

/** All known differences, by id. */
export const knownDifferences: readonly KnownDifference[] = [
  {
    id: "content",
    adapters: ["jsonschema-rs"],
    reason:
      "contentMediaType and contentEncoding: JSON Schema (Validation) of draft-07, section 8, lets an implementation assert " +
      "them, as the package does; later drafts make them annotations, as ours are.",
    explains: ({ fault }) => ["contentMediaType", "contentEncoding"].includes(fault.keyword),
  },
  {
    id: "deep-nesting",
    adapters: ["jsonschema-rs"],
    reason:
      `Values nested more than ${MAX_DEPTH} levels deep: RFC 8259, section 9, lets a reader limit the depth. ` +
      "The package does; ours accept what the parser accepts.",
    explains: ({ record, theirs }) => isUnreadable(theirs) && isDeeperThan(MAX_DEPTH, record),
  },
  {
    id: "draft-04-integer",
    adapters: ["jsonschema-rs"],
    reason:
      "1.0 is no integer in draft-04, and one in every later draft (JSON Schema (Validation), section 6.1.1). The package " +
      "tells them apart; JavaScript cannot, so ours follow the later drafts.",
    explains: ({ fault, record, text }) => {
      const isMeant = fault.keyword === "type" || NESTING.includes(fault.keyword);
      const isWhole = (value: unknown): boolean => Number.isInteger(value);
      // A number with a fraction or an exponent, outside of strings.
      const isWritten = /\d[.eE]/.test(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'));
      return isMeant && isWritten && holds(fault, record, isWhole);
    },
  },
  {
    id: "infinite-number",
    adapters: ["jsonschema-rs"],
    reason:
      "A number beyond the range of a double, such as 1e400 or an integer of 310 digits: RFC 8259, section 6, lets a reader " +
      "limit the range. JavaScript parses it as infinity, which is not a JSON number, so ours reject it in every language. The " +
      "package accepts such an integer.",
    explains: ({ fault, record }) => {
      const isMeant = ["type", ...OF_NUMBERS, ...OF_VALUES].includes(fault.keyword);
      return isMeant && holds(fault, record, isInfinite);
    },
  },
  {
    id: "line-separator",
    adapters: ["jsonschema-rs"],
    reason:
      "A pattern with a dot, and a text with U+2028, U+2029 or a carriage return: JSON Schema (Core, section 6.4) requires " +
      "ECMA-262, whose dot matches none of them. That of the package matches them.",
    explains: ({ fault, record }) => {
      const isMeant = ["pattern", ...OF_VALUES].includes(fault.keyword);
      return isMeant && /[\r\u2028\u2029]/.test(toText(resolvePointer(record, fault.pointer)));
    },
  },
  {
    id: "lone-surrogate",
    adapters: ["jsonschema-rs"],
    reason:
      "An escaped half of a surrogate pair: RFC 8259, section 8.2, allows it and calls the behaviour of " +
      "readers unpredictable. The package stores text as UTF-8, which has no such character, so it cannot " +
      "read the record. Ours can, and `validate` reports the warning well-formed-unicode.",
    explains: ({ record, theirs }) => isUnreadable(theirs) && /\p{Cs}/u.test(toText(record)),
  },
  {
    id: "members-as-methods",
    adapters: ["ajv"],
    reason:
      "An object with a member called toString or valueOf: the package calls it to compare values (RFC 8259, section 4, " +
      "allows any name).",
    explains: ({ theirs, text }) => isUnreadable(theirs) && /"(?:toString|valueOf)":/.test(text),
  },
  {
    id: "nested-definition",
    adapters: ["ajv", "jsonschema-rs"],
    reason:
      `A definition that is nested in itself more than ${MAX_NESTED} times: RFC 8259, section 9, lets a reader limit the ` +
      "depth. Ours do so in every language.",
    explains: ({ fault, record }) => {
      const isMeant = ["nesting", ...NESTING].includes(fault.keyword);
      return isMeant && isDeeperThan(MAX_NESTED, record);
    },
  },
  {
    id: "number-beyond-double",
    adapters: ["ajv", "jsonschema-rs", "pydantic", "python"],
    reason:
      "A number that no double holds exactly, beyond 2^53: RFC 8259, section 6, calls smaller ones interoperable. JavaScript " +
      "rounds it, and a bound; Python and jsonschema-rs compare all digits; of large ones, Ajv knows no multiples.",
    explains: ({ fault, record }) => {
      const isMeant = [...OF_NUMBERS, ...OF_VALUES, "enum", "const"].includes(fault.keyword);
      return isMeant && holds(fault, record, isUnsafe);
    },
  },
  {
    id: "proto-member",
    adapters: ["ajv"],
    reason:
      "A property called __proto__: RFC 8259, section 4, allows any name. The package leaves it out of what it compiles.",
    explains: ({ fault: { pointer, keyword }, text }) =>
      `${pointer}/`.includes("/__proto__/") ||
      (NESTING.includes(keyword) && text.includes('"__proto__":')),
  },
  {
    id: "stack",
    adapters: ["ajv"],
    reason:
      "A definition that is nested in itself thousands of times: RFC 8259, section 9, lets a reader limit the depth. That of the " +
      "package is the stack.",
    explains: ({ record, theirs }) => isUnreadable(theirs) && isDeeperThan(MAX_DEPTH, record),
  },
  {
    id: "unique-mistyped-items",
    adapters: ["ajv"],
    reason:
      "Equal items of the wrong type: JSON Schema (Validation), section 6.4.3, asks of all items whether they are unique. The " +
      "package compares those of the right type alone; the array is invalid either way.",
    explains: ({ fault: { keyword, pointer }, theirs: { errors = [] } }) =>
      keyword === "uniqueItems" && errors.some((each) => each.pointer.startsWith(`${pointer}/`)),
  },
];

/** Whether an implementation reports that it cannot parse the record. */
function isUnreadable({ errors = [] }: AdapterVerdict): boolean {
  return errors.length === 1 && errors[0]?.pointer === "" && errors[0].keyword === "json";
}

function isDeeperThan(depth: number, value: unknown): boolean {
  if (depth === 0) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((child) => isDeeperThan(depth - 1, child));
}

/** Whether the value that a fault is about is such a one; or for keywords of other values, whether it has one in it. */
function holds(
  { pointer, keyword }: AdapterFault,
  record: unknown,
  isSuch: (value: unknown) => boolean,
): boolean {
  const hasSuch = (value: unknown): boolean => {
    if (typeof value !== "object" || value === null) return isSuch(value);
    return Object.values(value).some(hasSuch);
  };
  const value = resolvePointer(record, pointer);
  return OF_VALUES.includes(keyword) ? hasSuch(value) : isSuch(value);
}

function isInfinite(value: unknown): boolean {
  return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
}

function isUnsafe(value: unknown): boolean {
  return typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

/** All keys and strings in a JSON value. */
function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  // Joined by a space, because two adjacent halves would form a pair.
  return Object.entries(value)
    .map(([key, child]) => `${key} ${toText(child)}`)
    .join(" ");
}
