import type { Comparison } from "../../../conformance/compat/compare.js";
import {
  DIRECTIONS,
  type Direction,
  type VersionComparison,
} from "../../../conformance/compat/compare-versions.js";
import type { BrokenKeyword } from "../../../conformance/compat/compile-schema.js";
import type { SchemaSource } from "../../../conformance/compat/load-version.js";
import type { SchemaLocation } from "../../../conformance/compat/schema-set.js";
import { createFinding } from "../../../conformance/findings/create-finding.js";
import type { Finding } from "../../../conformance/findings/finding.js";
import { describeError } from "../../records/describe-error.js";
import { escapeControls } from "../../records/escape-controls.js";
import { toPointerToken } from "../../records/resolve-pointer.js";

const PROOFS: Readonly<Record<Direction, string>> = {
  backward: "this record is valid before and not after:",
  forward: "this record is valid after and not before:",
};

/** One side of a comparison. */
export interface LoadedVersion {
  readonly source: SchemaSource;
  readonly root: SchemaLocation;
}

/** What a change breaks, each with a record that proves it, and what nobody can say. */
export function toFindings(
  { entries }: VersionComparison,
  versions: { readonly old: LoadedVersion; readonly new: LoadedVersion },
): Finding[] {
  return entries.flatMap(({ name, ...comparisons }) =>
    DIRECTIONS.flatMap((direction) => {
      const reader = direction === "backward" ? versions.new : versions.old;
      return toFinding(comparisons[direction], { name, direction, reader });
    }),
  );
}

interface FindingContext {
  readonly name: string;
  readonly direction: Direction;
  readonly reader: LoadedVersion;
}

function toFinding(comparison: Comparison, { name, direction, reader }: FindingContext): Finding[] {
  const type = name === "" ? "" : `${name}: `;
  const file = { file: reader.source.name, source: reader.source.text };
  if (comparison.verdict === "compatible") return [];
  if (comparison.verdict === "undecided") {
    const pointer = name === "" ? "" : `/$defs/${toPointerToken(name)}`;
    const message = `${type}${direction} is undecided: ${comparison.because}`;
    return [createFinding({ id: "undecided", ...file, pointer, message })];
  }
  const { witness, broken } = comparison;
  const [first] = broken;
  const said = first === undefined ? "" : `${first.pointer} ${describeError(first, witness)}`;
  return [
    createFinding({
      id: first?.keyword ?? "schema",
      ...file,
      pointer: first === undefined ? "" : pointerOf(first, reader.root),
      message: `${type}breaks ${direction}: ${said.trim()}`,
      detail: `${PROOFS[direction]}\n${escapeControls(JSON.stringify(witness))}`,
    }),
  ];
}

/** Where the keyword stands in the reader's document; "" when it stands in one that this refers to. */
function pointerOf({ location, keyword }: BrokenKeyword, root: SchemaLocation): string {
  if (location === undefined || location.uri !== root.uri) return "";
  return `${location.pointer}/${toPointerToken(keyword)}`;
}
