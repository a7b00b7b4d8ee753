import type { AdapterFault } from "#generated/index.js";
import type { VerdictDifference } from "./compare-verdicts.js";
import type { Disagreement } from "./find-disagreements.js";

/** Disagreements of one implementation that have one way in common. */
export interface DisagreementGroup {
  /** The one with the shortest record. */
  readonly sample: Disagreement;
  readonly count: number;
}

/** Disagreements by the way in which they differ, those of the most records first. */
export function groupDisagreements(disagreements: readonly Disagreement[]): DisagreementGroup[] {
  const groups = new Map<string, DisagreementGroup>();
  for (const disagreement of disagreements) {
    const way = `${disagreement.record.type} ${describeWay(disagreement)}`;
    const group = groups.get(way);
    const isShorter =
      group === undefined || disagreement.record.text.length < group.sample.record.text.length;
    const sample = isShorter ? disagreement : group.sample;
    groups.set(way, { sample, count: (group?.count ?? 0) + 1 });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

/** The same for differences that are alike: who refuses, and by which keywords in what kind of place. */
export function describeWay({ left, right, leftOnly, rightOnly }: VerdictDifference): string {
  return JSON.stringify([left.valid, right.valid, leftOnly.map(toKind), rightOnly.map(toKind)]);
}

function toKind({ pointer, keyword }: AdapterFault): string {
  return `${pointer.replace(/\/\d+(?=\/|$)/g, "/*")} ${keyword}`;
}
