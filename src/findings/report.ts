import type { Finding, Severity } from "./finding.js";

/** How many findings of each severity there are. */
export type SeverityCounts = Readonly<Record<Severity, number>>;

/** A number of things of a kind, such as 3 schemas. */
export interface ThingCount {
  readonly count: number;
  /** In the singular: `schema`, `fixture`, `mutant`. */
  readonly thing: string;
}

/** One check of a conformance run. */
export interface CheckSummary {
  readonly id: string;
  readonly purpose: string;
  /** What fixes its findings: a command, or a sentence. */
  readonly fix: string;
  /** What it looked at; nothing when it could not run. */
  readonly checked: readonly ThingCount[];
  /** All its findings, listed or not; they carry its id. */
  readonly found: SeverityCounts;
}

/** What a command found. */
export interface Report {
  readonly command: string;
  /** Version of this program. */
  readonly version: string;
  /** How many things were checked; of a conformance run, those of all kinds. */
  readonly checked: number;
  /** What they are, in the singular, such as `record`. */
  readonly thing: string;
  /** Every check of a conformance run, in order; other commands have none. */
  readonly checks?: readonly CheckSummary[];
  /** The findings that are listed, in the order in which they were found. */
  readonly findings: readonly Finding[];
  /** All findings, listed or not. */
  readonly found: SeverityCounts;
  /** How many findings are not listed, beyond the limit that the user set. */
  readonly notListed: SeverityCounts;
  /** Why the command came to no result; it is the only finding then. */
  readonly failure?: string;
}
