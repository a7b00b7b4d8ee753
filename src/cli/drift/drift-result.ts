import type { CheckedCopy } from "../../drift/copy.js";
import type { Finding } from "../../findings/finding.js";

/** What one run of `drift` looked at, and what it found. */
export interface DriftResult {
  readonly copies: readonly (CheckedCopy & { readonly repository: string })[];
  /** Everything that is wrong, that of the copies too. */
  readonly findings: readonly Finding[];
  /** How many things were looked at, in words, for the summary. */
  readonly checked: readonly string[];
  /** The same as a number. */
  readonly count: number;
  /** What they are, in the singular; `artefact` when undefined. */
  readonly thing?: string;
  /** Where they were looked for, as the user named it; the working folder when undefined. */
  readonly place?: string;
  /** What brings wrong copies up to date, in order: commands, and what no command does. */
  readonly mends: readonly string[];
  /** Whether something could not be looked at. */
  readonly isIncomplete: boolean;
}

/** Where a run of `drift` looks, and what it demands. */
export interface DriftContext {
  readonly cwd: string;
  /** Whether a copy that is pinned at a version before the latest is wrong. */
  readonly latest: boolean;
}
