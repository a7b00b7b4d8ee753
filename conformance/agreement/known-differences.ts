import type { AdapterFault, AdapterVerdict } from "#generated/index.js";
import { resolvePointer } from "../../src/base/json/pointer.js";
import { scanJson } from "../../src/base/json/tokens.js";
import { toDecimalText } from "../../src/contract/compat/schema/exact-numbers.js";

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

/** Keywords of numbers. */
const OF_NUMBERS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
const OF_VALUES = [...NESTING, "uniqueItems", "minContains", "maxContains"];

/** A date and a time with a space between them, and an address without a dot behind its @. */
const ODD_TEXT = /^\d{4}-\d\d-\d\d\s|@[^.]*$/;

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
    explains: ({ fault, text, theirs }) => {
      const isMeant = isSaid(fault, "type", theirs) || NESTING.includes(fault.keyword);
      const isWhole = (number: string): boolean =>
        /[.eE]/.test(number) && Number.isInteger(Number(number));
      return isMeant && holds(fault, text, isWhole);
    },
  },
  {
    id: "format",
    adapters: ["jsonschema-rs"],
    reason:
      "Odd dates, times, addresses and the like: JSON Schema (Validation), section 7.3, asks of an implementation to check a " +
      "format as well as it can. Ours judge as ajv-formats does, in every language; the package differs in a few texts.",
    explains: ({ fault, record }) => {
      const value = resolvePointer(record, fault.pointer);
      const isOdd = typeof value === "string" && ODD_TEXT.test(value);
      return fault.keyword === "format" || (isOdd && NESTING.includes(fault.keyword));
    },
  },
  {
    id: "infinite-number",
    adapters: ["jsonschema-rs"],
    reason:
      "An integer beyond the range of a double, of 310 digits: RFC 8259, section 6, lets a reader limit the range. JavaScript " +
      "parses it as infinity, which is not a JSON number, so ours take it for none in every language. For the package it is one, " +
      "and no two numbers such as 1e400 are equal.",
    explains: ({ fault, text, ours, theirs }) => {
      const isMeant =
        OF_VALUES.includes(fault.keyword) ||
        ["type", "const", "enum"].some((keyword) => isSaid(fault, keyword, ours)) ||
        OF_NUMBERS.some((keyword) => isSaid(fault, keyword, theirs));
      const isSuch = (number: string): boolean =>
        !Number.isFinite(Number(number)) &&
        (fault.keyword === "uniqueItems" || /^-?\d+$/.test(number));
      return isMeant && holds(fault, text, isSuch);
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
    adapters: ["jsonschema-rs", "pydantic", "python"],
    reason:
      "A number beyond 2^53 with other digits than JavaScript writes: RFC 8259, section 6, calls smaller ones interoperable. " +
      "JavaScript rounds it; Python and jsonschema-rs compare all digits.",
    explains: ({ fault, text }) => {
      const isMeant = [...OF_NUMBERS, ...OF_VALUES, "enum", "const"].includes(fault.keyword);
      return isMeant && holds(fault, text, isRounded);
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

/** Whether that verdict reports the fault, which is of that keyword. */
function isSaid(fault: AdapterFault, keyword: string, { errors = [] }: AdapterVerdict): boolean {
  return (
    fault.keyword === keyword &&
    errors.some(({ pointer, keyword: said }) => {
      return pointer === fault.pointer && said === keyword;
    })
  );
}

/** Whether the number that a fault is about is written in such a way; for keywords of other values, whether one in them is. */
function holds(fault: AdapterFault, text: string, isSuch: (number: string) => boolean): boolean {
  for (const { kind, start, end, pointer } of scanJson(text)) {
    if (kind !== "number" || !isSuch(text.slice(start, end))) continue;
    const place = pointer();
    if (place === fault.pointer) return true;
    if (OF_VALUES.includes(fault.keyword) && place.startsWith(`${fault.pointer}/`)) return true;
  }
  return false;
}

/** Whether JavaScript rounds a large number to another one. */
function isRounded(number: string): boolean {
  const value = Number(number);
  if (!Number.isFinite(value) || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return false;
  return toDecimalText(number) !== toDecimalText(String(value));
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
