import type { DiffFinding } from "#generated/index.js";
import { type Lens, RECORD_LENSES } from "../../src/contract/compat/change.js";
import type { VersionComparison } from "../../src/contract/compat/compare-versions.js";
import {
  type LoadedVersions,
  placeChanges,
  toDiffFindings,
} from "../../src/contract/compat/findings.js";
import { fingerprintOf, schemaContract } from "../../src/contract/compat/fingerprint.js";
import { SOURCES } from "../../src/contract/compat/rules/rule.js";
import { DIRECTIONS, type Direction } from "../../src/contract/compat/schema/schema-set.js";
import { unmatched } from "../../src/contract/compat/unmatched.js";

/** A break caused by a schema change, or a change whose effect is undecided. */
export interface Break
  extends Pick<DiffFinding, "fingerprint" | "message" | "rule" | "types" | "verdict"> {
  readonly direction: Direction;
  readonly lens: Lens;
  /** Whether its change removes a required property. */
  readonly isMajor?: boolean | undefined;
  /** The proof, or the reason why it is undecided. */
  readonly detail?: string | undefined;
}

/**
 * The breaks that a comparison found, without duplicate fingerprints: at least one for every direction of a
 * record compatibility mode whose verdict is not `compatible`. A break of code is included only if the same
 * change breaks no records, because approving one approves the other.
 */
export function listBreaks(comparison: VersionComparison, versions: LoadedVersions): Break[] {
  const findings = placeChanges(comparison.changes, versions).flatMap((placed) => {
    const { isMajor } = placed.change;
    const all = toDiffFindings(placed, versions).map((finding) => ({ ...finding, isMajor }));
    const ofRecords = all.filter(({ lens }) => RECORD_LENSES.some((each) => each === lens));
    return ofRecords.length > 0 ? ofRecords : all;
  });
  const breaks = RECORD_LENSES.flatMap((lens) =>
    DIRECTIONS.flatMap((direction): readonly Break[] => {
      const found = findings
        .filter((finding) => finding.lens === lens && finding.direction === direction)
        .map((finding) => ({ ...finding, direction, lens }));
      const verdict = comparison.lenses[lens][direction];
      if (verdict === "compatible" || found.length > 0) return found;
      return [toUnexplained({ direction, lens, verdict }, versions)];
    }),
  );
  const sources = SOURCES.flatMap((lens) =>
    findings
      .filter((finding) => finding.lens === lens)
      .map((finding) => ({ ...finding, direction: "backward" as const, lens })),
  );
  const all = [...breaks, ...sources];
  return [...new Map(all.map((each) => [each.fingerprint, each])).values()];
}

/** A verdict that no change explains. */
function toUnexplained(
  found: Pick<Break, "direction" | "lens" | "verdict">,
  { old: older, new: newer }: LoadedVersions,
): Break {
  const contract = { old: schemaContract(older.root), new: schemaContract(newer.root) };
  const identity = { schema: newer.root.uri, rule: unmatched.id, pointer: "", contract, ...found };
  const { direction, verdict } = found;
  return {
    ...found,
    rule: unmatched.id,
    types: [],
    message: `the schema as a whole is ${verdict} ${direction} (${unmatched.name})`,
    fingerprint: fingerprintOf(identity),
  };
}
