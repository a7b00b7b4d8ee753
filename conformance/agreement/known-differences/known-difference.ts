import type { AdapterFault, AdapterVerdict } from "#generated/index.js";

/** A fault that only one of two implementations reports. */
export interface LoneFault {
  readonly fault: AdapterFault;
  /** The record as parsed by JSON.parse. */
  readonly record: unknown;
  /** The verdict of the first implementation. */
  readonly ours: AdapterVerdict;
  /** The verdict of the implementation that differs. */
  readonly theirs: AdapterVerdict;
}

/**
 * A known and accepted difference: a referee departs from the specifications, or they leave the choice to the
 * implementation. It excuses nothing else. If it no longer occurs, that is an error.
 */
export interface KnownDifference {
  /** Also the name of its file. */
  readonly id: string;
  /** The implementation that differs. */
  readonly adapter: string;
  /** What differs, and what the specification says. */
  readonly reason: string;
  /** Whether it explains why only one side reports the fault. */
  explains(lone: LoneFault): boolean;
}

/** Whether an implementation reports that it cannot parse the record. */
export function isUnreadable({ errors = [] }: AdapterVerdict): boolean {
  return errors.length === 1 && errors[0]?.pointer === "" && errors[0].keyword === "json";
}
