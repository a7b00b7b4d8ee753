import type { Finding } from "../src/findings/finding.js";
import type { ThingCount } from "../src/findings/report.js";
import type { Adapter } from "./agreement/adapter.js";

export type { ThingCount };

/** What a check looked at, and what is wrong with it. */
export interface CheckOutcome {
  /** What was looked at, first the kind that the check is there for: none of that is a failure. */
  readonly checked: readonly ThingCount[];
  readonly findings: readonly Finding[];
}

/** What a run is told beside the checkout. */
export interface CheckOptions {
  /** Somebody else's implementations, to be held against the checkout's own. */
  readonly adapters?: readonly Adapter[];
  /** The day on which approvals are checked, as YYYY-MM-DD; that of the clock, in UTC, by default. */
  readonly today?: string;
}

/** One part of the conformance run. */
export interface Check {
  /** Also the name of its file, and what `--only` calls it. */
  readonly id: string;
  /** What holds when it is green, in one sentence. */
  readonly purpose: string;
  /** How to fix its findings: a command or a sentence. */
  readonly fix: string;
  /** Whether it runs the adapters too that the user adds. */
  readonly takesAdapters?: boolean;
  /** Whether it runs a script of the checkout, which needs the development dependencies there. */
  readonly runsScript?: boolean;
  /**
   * Looks at the checkout at `root` (absolute). What it finds names files relative to `root`. Throws when
   * it cannot run, which counts as a failure.
   */
  run(root: string, options?: CheckOptions): Promise<CheckOutcome>;
}
