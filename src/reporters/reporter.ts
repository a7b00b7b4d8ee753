import type { ThingCount } from "../../conformance/checks/check.js";
import type { Finding, Severity } from "../findings/finding.js";

/** How many findings of each severity there are. */
export type SeverityCounts = Readonly<Record<Severity, number>>;

/** One check of a conformance run. */
export interface CheckSummary {
  readonly id: string;
  readonly purpose: string;
  /** What mends its findings: a command, or a sentence. */
  readonly mend: string;
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

export interface ReportStyle {
  /** Whether the output is a terminal that shows colours. */
  readonly colour: boolean;
}

/** One way of printing a report on standard output. */
export interface Reporter {
  /** What `--format` calls it; also its file's name. */
  readonly id: string;
  readonly purpose: string;
  /** The whole output; "" or lines, each with its newline. */
  print(report: Report, style: ReportStyle): string;
  /** Markdown for the summary page of a CI run, where the format's reader has one; "" for nothing. */
  summarise?(report: Report): string;
}
