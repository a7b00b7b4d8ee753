import type { AdapterFault, AdapterVerdict } from "#generated/index.js";
import type { CorpusRecord } from "./adapter.js";
import { type KnownDifference, knownDifferences, NESTING } from "./known-differences.js";

/** A record on which an implementation disagrees with the first one. */
export interface Disagreement extends VerdictDifference {
  readonly adapter: string;
  readonly record: CorpusRecord;
}

/** The result of comparing one implementation with the first one. */
export interface Comparison {
  readonly disagreements: readonly Disagreement[];
  /** Records with known differences only. */
  readonly known: number;
  /** The known differences that occurred. */
  readonly used: ReadonlySet<KnownDifference>;
  /** Records for which one side reports only the verdict, so faults were not compared. */
  readonly verdictsAlone: number;
}

/**
 * Records for which the verdict of `adapter` (`right`) differs from that of the first implementation
 * (`left`); `isExact` as for `compareVerdicts`.
 */
export function findDisagreements(
  adapter: string,
  records: readonly CorpusRecord[],
  left: readonly AdapterVerdict[],
  right: readonly AdapterVerdict[],
  isExact = false,
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
    const difference = compareVerdicts(ours, theirs, isExact);
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

/** The known differences that together explain a difference; undefined if something remains unexplained. */
export function findReasons(
  adapter: string,
  { text }: Pick<CorpusRecord, "text">,
  { left, right, leftOnly, rightOnly }: VerdictDifference,
): readonly KnownDifference[] | undefined {
  const candidates = knownDifferences.filter(({ adapters }) => adapters.includes(adapter));
  if (candidates.length === 0) return undefined;
  const record: unknown = JSON.parse(text);
  const lone: readonly AdapterFault[] = [...leftOnly, ...rightOnly];
  const reasons = lone.flatMap(
    (fault) =>
      candidates.find((known) =>
        known.explains({ fault, record, text, ours: left, theirs: right }),
      ) ?? [],
  );
  return lone.length > 0 && reasons.length === lone.length ? reasons : undefined;
}

/** Disagreements of one implementation about the same faults. */
export interface DisagreementGroup {
  /** The clearest example: one with different verdicts if possible, and then the shortest record. */
  readonly sample: Disagreement;
  readonly count: number;
}

/** Groups disagreements by the faults that only one side reports; the largest group first. */
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

/** Equal for similar differences: the same side rejects, and reports the same faults alone. */
export function isSameWay(a: VerdictDifference, b: VerdictDifference): boolean {
  const sameVerdicts = a.left.valid === b.left.valid && a.right.valid === b.right.valid;
  return sameVerdicts && describeLoneFaults(a) === describeLoneFaults(b);
}

function isBetter(a: Disagreement, b: Disagreement): boolean {
  const splits = ({ left, right }: Disagreement): boolean => left.valid !== right.valid;
  return splits(a) === splits(b) ? a.record.text.length < b.record.text.length : splits(a);
}

/** The keywords and places that only one side reports, without item indices. */
function describeLoneFaults({ leftOnly, rightOnly }: VerdictDifference): string {
  return JSON.stringify([leftOnly.map(toKind), rightOnly.map(toKind)]);
}

function toKind({ pointer, keyword }: AdapterFault): string {
  return `${pointer.replace(/\/\d+(?=\/|$)/g, "/*")} ${keyword}`;
}

/** The difference between two verdicts on one record. */
export interface VerdictDifference {
  readonly left: AdapterVerdict;
  readonly right: AdapterVerdict;
  /** Faults that only the left side reports. */
  readonly leftOnly: readonly AdapterFault[];
  /** Faults that only the right side reports. */
  readonly rightOnly: readonly AdapterFault[];
  /** Whether the order of faults, and how often each is reported, may be all that differs. */
  readonly isExact: boolean;
}

/**
 * The difference between two verdicts, in validity or in any fault; undefined if they agree. If one side
 * reports only the verdict, faults are not compared. Where a value is of the wrong type, either side may say what else
 * is wrong with it, or not. Where it fits no member of a union or the like, either side may say what is wrong in members. If
 * `isExact`, as for two outputs of the generator, both must report the same faults in the same order.
 */
export function compareVerdicts(
  left: AdapterVerdict,
  right: AdapterVerdict,
  isExact = false,
): VerdictDifference | undefined {
  if (left.errors === undefined || right.errors === undefined) {
    if (left.valid === right.valid) return undefined;
    const lone = { leftOnly: left.errors ?? [], rightOnly: right.errors ?? [] };
    return { left, right, ...lone, isExact: false };
  }
  if (isExact) return compareLists(left, left.errors, right, right.errors);
  const mistyped = new Set(
    [...left.errors, ...right.errors].filter(isOfType).map(({ pointer }) => pointer),
  );
  const nested = placesOfBoth(left.errors, right.errors);
  const isTold = (fault: AdapterFault): boolean =>
    (isOfType(fault) || !mistyped.has(fault.pointer)) &&
    !nested.some((place) => isIn(place, fault));
  const leftOnly = without(left.errors, right.errors).filter(isTold);
  const rightOnly = without(right.errors, left.errors).filter(isTold);
  return leftOnly.length + rightOnly.length === 0
    ? undefined
    : { left, right, leftOnly, rightOnly, isExact };
}

/** Each fault counts as often as it is reported; if only the order differs, the first two that differ are the difference. */
function compareLists(
  left: AdapterVerdict,
  ours: readonly AdapterFault[],
  right: AdapterVerdict,
  theirs: readonly AdapterFault[],
): VerdictDifference | undefined {
  const [leftOnly, rightOnly] = [subtract(ours, theirs), subtract(theirs, ours)];
  if (leftOnly.length + rightOnly.length > 0)
    return { left, right, leftOnly, rightOnly, isExact: true };
  const at = ours.findIndex((fault, index) => {
    const other = theirs[index];
    return other === undefined || faultKey(fault) !== faultKey(other);
  });
  if (at === -1) return undefined;
  const first = { leftOnly: ours.slice(at, at + 1), rightOnly: theirs.slice(at, at + 1) };
  return { left, right, ...first, isExact: true };
}

function subtract(
  faults: readonly AdapterFault[],
  others: readonly AdapterFault[],
): AdapterFault[] {
  const left = others.map(faultKey);
  return faults.filter((fault) => {
    const at = left.indexOf(faultKey(fault));
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

/** The places of such failures at which both sides say that something is wrong. */
function placesOfBoth(left: readonly AdapterFault[], right: readonly AdapterFault[]): string[] {
  const failed = [...left, ...right].filter(({ keyword }) => NESTING.includes(keyword));
  const places = [...new Set(failed.map(({ pointer }) => pointer))];
  const isSaid = (place: string, faults: readonly AdapterFault[]): boolean =>
    faults.some((fault) => isIn(place, fault));
  return places.filter((place) => isSaid(place, left) && isSaid(place, right));
}

function isIn(place: string, { pointer }: AdapterFault): boolean {
  return pointer === place || pointer.startsWith(`${place}/`);
}

function isOfType({ keyword }: AdapterFault): boolean {
  return keyword === "type";
}

/** Those of `faults` that are not in `others`, without duplicates. */
function without(faults: readonly AdapterFault[], others: readonly AdapterFault[]): AdapterFault[] {
  const seen = new Set(others.map(faultKey));
  return faults.filter((fault) => {
    const key = faultKey(fault);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Keywords contain no space. */
function faultKey({ pointer, keyword }: AdapterFault): string {
  return `${keyword} ${pointer}`;
}

/** A verdict on one line: `valid`, `invalid`, or `invalid: /rank minimum, (record) required`. Sorted, unless the order counts. */
export function describeVerdict({ valid, errors = [] }: AdapterVerdict, isExact = false): string {
  const faults = errors.map(({ pointer, keyword }) => `${pointer || "(record)"} ${keyword}`);
  const shown = isExact ? faults : [...new Set(faults)].sort();
  const told = shown.length === 0 ? "" : `: ${shown.join(", ")}`;
  return `${valid ? "valid" : "invalid"}${told}`;
}
