import { addTo } from "../group-by.js";
import type { Finding } from "./finding.js";

/** What findings with one cause have in common. Plain data, so that it can be sent to threads. */
export type Cause = string;

type CausedFinding = Pick<Finding, "id" | "severity" | "file" | "pointer" | "message" | "cause">;

/** What a finding has in common with those of its cause: also its id, severity and file, and its place in the record. */
export function causeOf({
  id,
  severity,
  file,
  pointer,
  message,
  cause = message,
}: CausedFinding): Cause {
  return `${id} ${severity} ${withoutIndices(pointer)} ${file}\n${cause}`;
}

/** Limit on the causes and places that are kept, so that memory is bounded. */
const MAX_CAUSES = 1000;

/** Places of pointers. Many findings have the same, and it takes long to find the indices. */
const places = new Map<string, string>();

/** The place that a pointer names in every element of its lists. */
export function withoutIndices(pointer: string): string {
  const known = places.get(pointer);
  if (known !== undefined) return known;
  const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, "/#");
  if (places.size < MAX_CAUSES) places.set(pointer, place);
  return place;
}

/** A cause of its own among those of one kind, such as the records of one type. */
export function causeOfKind(kind: string, cause: string): string {
  return kind === "" ? cause : `${kind}\n${cause}`;
}

/** The cause without its kind. */
export function withoutKind(cause: string): string {
  return cause.slice(cause.lastIndexOf("\n") + 1);
}

/** Groups findings in the order of the first of each group. One without a key is a group of its own. */
export function groupFindings(
  findings: readonly Finding[],
  keyOf: (finding: Finding) => string | undefined,
): Map<string, Finding[]> {
  const groups = new Map<string, Finding[]>();
  for (const [index, finding] of findings.entries()) {
    addTo(groups, keyOf(finding) ?? String(index), finding);
  }
  return groups;
}

/** Counts findings by cause. Those of further causes are not counted. */
export class CauseCounts {
  readonly #counts = new Map<Cause, number>();

  add(cause: Cause, count = 1): void {
    const known = this.#counts.get(cause);
    if (known === undefined && this.#counts.size >= MAX_CAUSES) return;
    this.#counts.set(cause, (known ?? 0) + count);
  }

  get counts(): ReadonlyMap<Cause, number> {
    return new Map(this.#counts);
  }
}
