import type { AdapterFault, AdapterVerdict } from "#generated/index.js";

/** One fault that only one of two implementations tells. */
export interface LoneFault {
  readonly fault: AdapterFault;
  /** The record as JSON.parse reads it. */
  readonly record: unknown;
  /** What the first implementation says of it. */
  readonly ours: AdapterVerdict;
  /** What the implementation that differs says of it. */
  readonly theirs: AdapterVerdict;
}

/**
 * A difference that is understood: a referee departs from what the specifications say, or they leave the
 * choice to the implementation. It excuses nothing else, and is an error once it excuses nothing.
 */
export interface KnownDifference {
  /** Also the name of its file. */
  readonly id: string;
  /** The implementation that differs. */
  readonly adapter: string;
  /** What is different, and what the specification says. */
  readonly reason: string;
  /** Whether it is why the fault is told by one side only. */
  explains(lone: LoneFault): boolean;
}

/** Whether an implementation says that it cannot read the record at all. */
export function isUnreadable({ errors = [] }: AdapterVerdict): boolean {
  return errors.length === 1 && errors[0]?.pointer === "" && errors[0].keyword === "json";
}
