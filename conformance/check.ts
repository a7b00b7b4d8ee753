import type { Finding } from "../src/base/findings/finding.js";
import type { ThingCount } from "../src/base/findings/report.js";
import type { Adapter } from "./agreement/adapter.js";
import type { Baseline } from "./baseline.js";
import type { Workspace } from "./workspace.js";

export type { ThingCount };

/** What a check examined, and its findings. */
export interface CheckOutcome {
  /** Counts of what was examined, with the main kind first: if that is zero, the check fails. */
  readonly checked: readonly ThingCount[];
  readonly findings: readonly Finding[];
  /** What a reader of the counts should know. */
  readonly notes?: readonly string[];
}

/** Options of a run besides the repository. */
export interface CheckOptions {
  /** Foreign implementations to compare with the repository's own. */
  readonly adapters?: readonly Adapter[];
  /** The date for which approvals are checked, as YYYY-MM-DD. Default: today in UTC. */
  readonly today?: string;
  /** The findings that are expected. Default: none. */
  readonly baseline?: Baseline | undefined;
}

/** One part of the conformance run. */
export interface Check {
  /** Also the name of its file, and its value for `--only`. */
  readonly id: string;
  /** What is true if the check is green, in one sentence. */
  readonly purpose: string;
  /** How to fix its findings: a command or a sentence. */
  readonly fix: string;
  /** The same in a repository that has the installed program alone. Default: as here. */
  readonly fixElsewhere?: string;
  /** Whether it also runs the adapters that the user adds. */
  readonly takesAdapters?: boolean;
  /**
   * Ids of checks that must be green first. If one of them is red, this check is not run: its findings would have the same
   * cause.
   */
  readonly needs?: readonly string[];
  /** Why a repository has nothing for it to examine; undefined if it has. Default: every repository has. */
  whyNot?(workspace: Workspace): string | undefined;
  /** The member of `schemas` in the configuration without which `whyNot` gives a reason. */
  readonly configuredBy?: "fixtures" | "golden";
  /**
   * Examines a repository. Findings name files relative to its root. Throws if it cannot run, which counts as a failure.
   */
  run(workspace: Workspace, options?: CheckOptions): Promise<CheckOutcome>;
}
