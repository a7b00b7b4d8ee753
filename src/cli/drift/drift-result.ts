import type { CheckedCopy } from "../../../conformance/drift/checked-copy.js";
import type { Finding } from "../../../conformance/findings/finding.js";

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
  /** Commands that bring wrong copies up to date. */
  readonly mends: readonly string[];
  /** Whether something could not be looked at. */
  readonly isIncomplete: boolean;
}
