import type { AdapterFault, AdapterVerdict } from "#generated/index.js";
import { compareVerdicts, type VerdictDifference } from "./compare-verdicts.js";
import type { CorpusRecord } from "./corpus-record.js";
import { knownDifferences } from "./known-differences/index.js";
import type { KnownDifference } from "./known-differences/known-difference.js";

/** A record that an implementation judges otherwise than the first one does. */
export interface Disagreement extends VerdictDifference {
  readonly adapter: string;
  readonly record: CorpusRecord;
}

/** What comparing one implementation with the first one gave. */
export interface Comparison {
  readonly disagreements: readonly Disagreement[];
  /** Records on which they differ in a way that is understood. */
  readonly known: number;
  /** What made them differ there. */
  readonly used: ReadonlySet<KnownDifference>;
  /** Records of which one of the two tells the verdict alone, so that no faults were compared. */
  readonly verdictsAlone: number;
}

/** Records on which `adapter` gives other verdicts (`right`) than the first implementation (`left`). */
export function findDisagreements(
  adapter: string,
  records: readonly CorpusRecord[],
  left: readonly AdapterVerdict[],
  right: readonly AdapterVerdict[],
): Comparison {
  const disagreements: Disagreement[] = [];
  const used = new Set<KnownDifference>();
  let known = 0;
  let verdictsAlone = 0;
  for (const [index, record] of records.entries()) {
    const [ours, theirs] = [left[index], right[index]];
    if (ours === undefined || theirs === undefined)
      throw new Error(`no verdict on record ${index}`);
    if (ours.errors === undefined || theirs.errors === undefined) verdictsAlone += 1;
    const difference = compareVerdicts(ours, theirs);
    if (difference === undefined) continue;
    const reasons = findReasons(adapter, record, difference);
    if (reasons === undefined) disagreements.push({ ...difference, adapter, record });
    else {
      known += 1;
      for (const reason of reasons) used.add(reason);
    }
  }
  return { disagreements, known, used, verdictsAlone };
}

/** The known differences that together explain all of a difference; undefined when something is left. */
export function findReasons(
  adapter: string,
  { text }: Pick<CorpusRecord, "text">,
  { left, right, leftOnly, rightOnly }: VerdictDifference,
): readonly KnownDifference[] | undefined {
  const candidates = knownDifferences.filter((known) => known.adapter === adapter);
  if (candidates.length === 0) return undefined;
  const record: unknown = JSON.parse(text);
  const lone: readonly AdapterFault[] = [...leftOnly, ...rightOnly];
  const reasons = lone.flatMap(
    (fault) =>
      candidates.find((known) => known.explains({ fault, record, ours: left, theirs: right })) ??
      [],
  );
  return lone.length > 0 && reasons.length === lone.length ? reasons : undefined;
}
