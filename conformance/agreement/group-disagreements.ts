import type { AdapterFault } from "#generated/index.js";
import type { VerdictDifference } from "./compare-verdicts.js";
import type { Disagreement } from "./find-disagreements.js";

/** Disagreements of one implementation about the same faults. */
export interface DisagreementGroup {
  /** The one that shows it best: on the verdict itself where there is one, then of the shortest record. */
  readonly sample: Disagreement;
  readonly count: number;
}

/** Disagreements by the faults that only one side tells, those of the most records first. */
export function groupDisagreements(disagreements: readonly Disagreement[]): DisagreementGroup[] {
  const groups = new Map<string, DisagreementGroup>();
  for (const disagreement of disagreements) {
    const key = `${disagreement.record.type} ${describeLoneFaults(disagreement)}`;
    const group = groups.get(key);
    const sample =
      group === undefined || isBetter(disagreement, group.sample) ? disagreement : group.sample;
    groups.set(key, { sample, count: (group?.count ?? 0) + 1 });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

/** Whether two differences are alike: who refuses, and what only one of them tells. */
export function isSameWay(a: VerdictDifference, b: VerdictDifference): boolean {
  const sameVerdicts = a.left.valid === b.left.valid && a.right.valid === b.right.valid;
  return sameVerdicts && describeLoneFaults(a) === describeLoneFaults(b);
}

function isBetter(a: Disagreement, b: Disagreement): boolean {
  const splits = ({ left, right }: Disagreement): boolean => left.valid !== right.valid;
  return splits(a) === splits(b) ? a.record.text.length < b.record.text.length : splits(a);
}

/** The keywords and the kinds of places that only one side names; the numbers of items do not count. */
function describeLoneFaults({ leftOnly, rightOnly }: VerdictDifference): string {
  return JSON.stringify([leftOnly.map(toKind), rightOnly.map(toKind)]);
}

function toKind({ pointer, keyword }: AdapterFault): string {
  return `${pointer.replace(/\/\d+(?=\/|$)/g, "/*")} ${keyword}`;
}
