import type { AdapterFault, AdapterVerdict } from "#generated/index.js";

/** How two verdicts on one record differ. */
export interface VerdictDifference {
  readonly left: AdapterVerdict;
  readonly right: AdapterVerdict;
  /** Faults that only the left one tells. */
  readonly leftOnly: readonly AdapterFault[];
  /** Faults that only the right one tells. */
  readonly rightOnly: readonly AdapterFault[];
}

/**
 * How two verdicts differ, in the verdict itself or in any fault; undefined when they agree. Where one of
 * them tells the verdict alone, nothing else is compared.
 */
export function compareVerdicts(
  left: AdapterVerdict,
  right: AdapterVerdict,
): VerdictDifference | undefined {
  if (left.errors === undefined || right.errors === undefined) {
    if (left.valid === right.valid) return undefined;
    return { left, right, leftOnly: left.errors ?? [], rightOnly: right.errors ?? [] };
  }
  const leftOnly = without(left.errors, right.errors);
  const rightOnly = without(right.errors, left.errors);
  return leftOnly.length + rightOnly.length === 0
    ? undefined
    : { left, right, leftOnly, rightOnly };
}

/** Those of `faults` that are not among `others`, each once. */
function without(faults: readonly AdapterFault[], others: readonly AdapterFault[]): AdapterFault[] {
  const seen = new Set(others.map(faultKey));
  return faults.filter((fault) => {
    const key = faultKey(fault);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Keywords hold no space. */
function faultKey({ pointer, keyword }: AdapterFault): string {
  return `${keyword} ${pointer}`;
}
