import type { AdapterFault, AdapterVerdict } from "#generated/index.js";
import { resolvePointer } from "../../src/base/json/pointer.js";

/** A fault that only one of two implementations reports. */
export interface LoneFault {
  readonly fault: AdapterFault;
  /** The record as parsed by JSON.parse. */
  readonly record: unknown;
  /** The verdict of the first implementation. */
  readonly ours: AdapterVerdict;
  /** The verdict of the implementation that differs. */
  readonly theirs: AdapterVerdict;
}

/**
 * A known and accepted difference: a referee departs from the specifications, or they leave the choice to the
 * implementation. It excuses nothing else. If it no longer occurs, that is an error.
 */
export interface KnownDifference {
  readonly id: string;
  /** The implementation that differs. */
  readonly adapter: string;
  /** What differs, and what the specification says. */
  readonly reason: string;
  /** Whether it explains why only one side reports the fault. */
  explains(lone: LoneFault): boolean;
}

/** Maximum nesting that jsonschema-rs accepts; the record itself is level 1. */
const MAX_DEPTH = 255;

/** All known differences, by id. */
export const knownDifferences: readonly KnownDifference[] = [
  {
    id: "deep-nesting",
    adapter: "jsonschema-rs",
    reason:
      `Values nested more than ${MAX_DEPTH} levels deep: RFC 8259, section 9, lets a reader limit the depth. ` +
      "The package does; ours accept what the parser accepts.",
    explains: ({ record, theirs }) => isUnreadable(theirs) && isDeeperThan(MAX_DEPTH, record),
  },
  {
    id: "infinite-integer",
    adapter: "jsonschema-rs",
    reason:
      "An integer beyond the range of a double, of 310 digits or more: RFC 8259, section 6, lets a reader " +
      "limit the range. JavaScript parses it as infinity, which is not a JSON number, so ours reject it in " +
      "every language. The package accepts it as an integer, but rejects 1e400 as ours do.",
    explains: isInfiniteNumber,
  },
  {
    id: "infinite-number",
    adapter: "jsonschema",
    reason:
      "A number beyond the range of a double, such as 1e400: RFC 8259, section 6, lets a reader limit the " +
      "range. JavaScript parses it as infinity, which is not a JSON number, so ours reject it in every " +
      "language. The package accepts Python's infinity, and integers of any length, as numbers.",
    explains: isInfiniteNumber,
  },
  {
    id: "lone-surrogate",
    adapter: "jsonschema-rs",
    reason:
      "An escaped half of a surrogate pair: RFC 8259, section 8.2, allows it and calls the behaviour of " +
      "readers unpredictable. The package stores text as UTF-8, which has no such character, so it cannot " +
      "read the record. Ours can, and `validate` reports the warning well-formed-unicode.",
    explains: ({ record, theirs }) => isUnreadable(theirs) && /\p{Cs}/u.test(toText(record)),
  },
  {
    id: "trailing-newline",
    adapter: "jsonschema",
    reason:
      "A string that ends in a newline, with a pattern that ends in $: the package passes the pattern to " +
      "Python's re, whose $ also matches before a final newline. JSON Schema (Core, section 6.4) requires " +
      "ECMA-262, whose $ does not.",
    explains({ fault, record }) {
      const value = resolvePointer(record, fault.pointer);
      return fault.keyword === "pattern" && typeof value === "string" && value.endsWith("\n");
    },
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

/** Keywords that constrain a number. */
const NUMBER_KEYWORDS = ["type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];

/** Whether the fault is about a number that JavaScript parses as infinity. */
function isInfiniteNumber({ fault, record }: LoneFault): boolean {
  const value = resolvePointer(record, fault.pointer);
  const infinite = value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
  return infinite && NUMBER_KEYWORDS.includes(fault.keyword);
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
