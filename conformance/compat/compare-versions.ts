import { canonicalHash } from "../registry/schema-hashes.js";
import { type Comparison, compare } from "./compare.js";
import { type EntryPair, pairEntryPoints } from "./entry-points.js";
import type { SchemaLocation } from "./schema-set.js";

/** Who reads what: new readers old data, or old readers new data. */
export const DIRECTIONS = ["backward", "forward"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** What becomes of the records of one type. */
export interface EntryComparison {
  /** The type; "" for a schema that is one type itself. */
  readonly name: string;
  readonly backward: Comparison;
  readonly forward: Comparison;
}

export interface VersionComparison {
  readonly backward: Comparison["verdict"];
  readonly forward: Comparison["verdict"];
  /** The version number that the change asks for (semantic versioning). */
  readonly bump: "none" | "patch" | "minor" | "major";
  readonly entries: readonly EntryComparison[];
}

const COMPATIBLE: Comparison = { verdict: "compatible" };

/** Compares two versions of a schema, record type by record type, in both directions. */
export function compareVersions(
  oldRoot: SchemaLocation,
  newRoot: SchemaLocation,
): VersionComparison {
  const entries = pairEntryPoints(oldRoot, newRoot).map((pair): EntryComparison => {
    return {
      name: pair.name,
      backward: compareEntry(pair.old, pair.new, newRoot),
      forward: compareEntry(pair.new, pair.old, oldRoot),
    };
  });
  const backward = worst(entries.map((entry) => entry.backward));
  const forward = worst(entries.map((entry) => entry.forward));
  const isSame = canonicalHash(oldRoot.schema) === canonicalHash(newRoot.schema);
  return { backward, forward, bump: isSame ? "none" : bumpOf(backward, forward), entries };
}

/** What a writer has and a reader does not know has to be valid as anything that the reader knows. */
function compareEntry(
  writer: EntryPair["old"],
  reader: EntryPair["new"],
  readerRoot: SchemaLocation,
): Comparison {
  return writer === undefined ? COMPATIBLE : compare(writer, reader ?? readerRoot);
}

function worst(comparisons: readonly Comparison[]): Comparison["verdict"] {
  const verdicts = comparisons.map(({ verdict }) => verdict);
  if (verdicts.includes("breaking")) return "breaking";
  return verdicts.includes("undecided") ? "undecided" : "compatible";
}

function bumpOf(
  backward: Comparison["verdict"],
  forward: Comparison["verdict"],
): VersionComparison["bump"] {
  if (backward !== "compatible") return "major";
  return forward === "compatible" ? "patch" : "minor";
}
