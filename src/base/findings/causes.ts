import type { Finding } from "./finding.js";

/** What findings with one cause have in common. Plain data, so that it can be sent to threads. */
export type Cause = string;

type CausedFinding = Pick<Finding, "id" | "severity" | "file" | "pointer" | "message">;

/** A quoted text, or a number or hash. */
const VARIABLE = /"(?:[^"\\]|\\.)*"|\b[0-9a-f]{8,}\b|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/g;

/** What a value is, as `previewValue` shows it. */
const SHOWN =
  /\bis (?:"(?:[^"\\]|\\.)*"|-?[\d.]+(?:e[+-]?\d+)?|true|false|null|undefined|an? (?:empty )?(?:array|object))/g;

/**
 * The cause of a finding: its id, severity and file, and the shapes of its pointer and message, in which values and
 * numbers count as equal. Quoted names, such as that of a missing field, do not.
 */
export function causeOf({ id, severity, file, pointer, message }: CausedFinding): Cause {
  const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, "/#");
  const shape = message
    .replaceAll(SHOWN, "is *")
    .replaceAll(VARIABLE, (text) => (text.startsWith('"') ? text : "#"));
  return JSON.stringify([id, severity, file, place, shape]);
}

/** Most causes that are counted, so that memory is bounded. */
const MAX_CAUSES = 1000;

interface CauseCount {
  count: number;
}

/** Counts findings by cause. Those of further causes are not counted. */
export class CauseCounts {
  readonly #counts = new Map<Cause, CauseCount>();
  /** Counts by the text of a finding. Many findings have the same, and it takes long to find the cause. */
  readonly #known = new Map<string, CauseCount>();

  addFinding(finding: CausedFinding): void {
    const { id, severity, file, pointer, message } = finding;
    const text = `${id} ${severity} ${pointer} ${file}\n${message}`;
    const known = this.#known.get(text);
    const found = known ?? this.#countOf(causeOf(finding));
    if (found === undefined) return;
    found.count += 1;
    if (known === undefined && this.#known.size < MAX_CAUSES) this.#known.set(text, found);
  }

  add(cause: Cause, count = 1): void {
    const known = this.#countOf(cause);
    if (known !== undefined) known.count += count;
  }

  get counts(): ReadonlyMap<Cause, number> {
    return new Map([...this.#counts].map(([cause, { count }]) => [cause, count]));
  }

  /** Undefined if there are too many causes. */
  #countOf(cause: Cause): CauseCount | undefined {
    const known = this.#counts.get(cause);
    if (known !== undefined || this.#counts.size >= MAX_CAUSES) return known;
    const made = { count: 0 };
    this.#counts.set(cause, made);
    return made;
  }
}
