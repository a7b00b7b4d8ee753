import { describeError } from "../../src/records/describe-error.js";
import { toPointerToken } from "../../src/records/resolve-pointer.js";
import type { Comparison } from "./compare.js";
import { DIRECTIONS, type VersionComparison } from "./compare-versions.js";
import type { BrokenKeyword } from "./compile-schema.js";
import { type FindingIdentity, fingerprintOf } from "./fingerprint-finding.js";
import type { SchemaLocation } from "./schema-set.js";

/** One thing that a change of a schema breaks, or of which nobody could say whether it does. */
export interface Break extends FindingIdentity {
  readonly fingerprint: string;
  readonly verdict: "breaking" | "undecided";
  /** The record type; "" for a schema that is one type itself. */
  readonly entry: string;
  /** What the reader says of the witness, or why it is undecided. */
  readonly message: string;
  /** What breaks: a record that is valid to the writer and not to the reader. */
  readonly witness?: unknown;
}

/** Two versions of a schema. */
export interface VersionRoots {
  readonly old: SchemaLocation;
  readonly new: SchemaLocation;
}

/** In whose view records break: of sets of records, or of those who write declared properties alone. */
export type RecordLens = "validate" | "declared-writer";

/**
 * What a comparison through a lens found to break, each with its fingerprint and each fingerprint once: at least
 * one for every record type and direction whose verdict is not `compatible`.
 */
export function breaksOf(
  { entries }: Pick<VersionComparison, "entries">,
  roots: VersionRoots,
  lens: RecordLens = "validate",
): Break[] {
  const breaks = entries.flatMap(({ name, ...comparisons }) =>
    DIRECTIONS.flatMap((direction) => {
      const comparison = comparisons[direction];
      if (comparison.verdict === "compatible") return [];
      const reader = direction === "backward" ? roots.new : roots.old;
      const { rule, pointer, message } = describe(comparison, name, reader);
      const identity = { rule, pointer, lens, direction, schema: roots.old.uri };
      return {
        ...identity,
        fingerprint: fingerprintOf(identity),
        verdict: comparison.verdict,
        entry: name,
        message,
        ...(comparison.verdict === "breaking" && { witness: comparison.witness }),
      };
    }),
  );
  return [...new Map(breaks.map((each) => [each.fingerprint, each])).values()];
}

function describe(
  comparison: Exclude<Comparison, { verdict: "compatible" }>,
  name: string,
  reader: SchemaLocation,
): { rule: string; pointer: string; message: string } {
  const entry = name === "" ? "" : `/$defs/${toPointerToken(name)}`;
  if (comparison.verdict === "undecided") {
    return { rule: "undecided", pointer: entry, message: comparison.because };
  }
  const [first] = comparison.broken;
  if (first === undefined) return { rule: "schema", pointer: entry, message: "is not valid" };
  const message = `${first.pointer} ${describeError(first, comparison.witness)}`.trim();
  return { rule: first.keyword, pointer: placeOf(first, reader), message };
}

/** Where a keyword's schema stands in the reader's document; with the URI of any other. */
function placeOf({ location }: BrokenKeyword, { uri }: SchemaLocation): string {
  if (location === undefined) return "";
  return location.uri === uri ? location.pointer : `${location.uri}#${location.pointer}`;
}
