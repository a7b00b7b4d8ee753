import type { Fault, Request, Verdict } from "./protocol.js";

/** A record that two implementations judge differently. */
export interface Disagreement {
  readonly request: Request;
  readonly left: Verdict;
  readonly right: Verdict;
}

/** Records on which two lists of verdicts differ, in the verdict or in any fault. */
export function findDisagreements(
  requests: readonly Request[],
  left: readonly Verdict[],
  right: readonly Verdict[],
): Disagreement[] {
  const disagreements: Disagreement[] = [];
  for (const [index, request] of requests.entries()) {
    const [a, b] = [left[index], right[index]];
    if (a === undefined || b === undefined) throw new Error(`no verdict on record ${request.id}`);
    if (a.valid !== b.valid || faultSet(a) !== faultSet(b)) {
      disagreements.push({ request, left: a, right: b });
    }
  }
  return disagreements;
}

function faultSet({ errors }: Verdict): string {
  const lines = errors.map(({ pointer, keyword }: Fault) => `${pointer} ${keyword}`);
  return [...new Set(lines)].sort().join("\n");
}
