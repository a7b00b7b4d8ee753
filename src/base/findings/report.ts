import type { Cause } from "./causes.js";
import type { Finding, Severity } from "./finding.js";

/** Number of findings by severity. */
export type SeverityCounts = Readonly<Record<Severity, number>>;

/** A number of things, such as 3 schemas. */
export interface ThingCount {
  readonly count: number;
  /** Singular: `schema`, `fixture`, `mutant`. */
  readonly thing: string;
  /** What they are called, if that is worth knowing. */
  readonly names?: readonly string[];
}

/** One check of a conformance run. */
export interface CheckSummary {
  readonly id: string;
  readonly purpose: string;
  /** How to fix its findings: a command, or a sentence. */
  readonly fix: string;
  /** What it examined; empty if it could not run. */
  readonly checked: readonly ThingCount[];
  /** All its findings, listed or not, each with the check's id. */
  readonly found: SeverityCounts;
  /** Id of the red check because of which it was not run. */
  readonly waitsFor?: string;
}

/** The result of a command. */
export interface Report {
  readonly command: string;
  /** Version of this program. */
  readonly version: string;
  /** Number of checked things; in a conformance run, the sum over all kinds. */
  readonly checked: number;
  /** What they are, in the singular, such as `record`. */
  readonly thing: string;
  /** Every check of a conformance run, in order; empty for other commands. */
  readonly checks?: readonly CheckSummary[];
  /** The listed findings, in the order in which they were found. */
  readonly findings: readonly Finding[];
  /** Number of all findings, listed or not. */
  readonly found: SeverityCounts;
  /** Number of findings beyond the user's limit, which are not listed. */
  readonly notListed: SeverityCounts;
  /** Number of those by cause, of the same severity, as far as they were counted. */
  readonly unlistedCauses?: ReadonlyMap<Cause, number>;
  /** Why the command has no result; then this is the only finding. */
  readonly failure?: string;
}
