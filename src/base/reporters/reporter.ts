import type { Finding } from "../findings/finding.js";
import type { FindFix } from "../findings/group-by-cause.js";
import type { Report } from "../findings/report.js";

/** What a kind of finding is, for formats that explain it once instead of with each finding. */
export interface RuleText {
  /** One sentence. */
  readonly short: string;
  /** Plain text: what it means, and how to fix it. */
  readonly help: string;
  /** The same in Markdown. Default: the plain text. */
  readonly markdown?: string;
  /** Its page, from the root of the repository, such as `docs/rules/rank-permutation.md`. */
  readonly page?: string;
}

/** Explains the findings of one id, given the first of them. */
export type DescribeRule = (first: Finding) => RuleText;

export interface ReportStyle {
  /** Whether the output is a terminal with colours. */
  readonly colour: boolean;
  /** Default: no fix is known. */
  readonly findFix?: FindFix;
  /** Default: each finding is only an example of its kind. */
  readonly describeRule?: DescribeRule;
  /** The page of the repository, for links to the documentation. Default: it is not public. */
  readonly repository?: string | undefined;
}

/** One way of printing a report to standard output. */
export interface Reporter {
  /** Its value of `--format`, and the name of its file. */
  readonly id: string;
  readonly purpose: string;
  /** The whole output: empty, or lines that end in a newline. */
  print(report: Report, style: ReportStyle): string;
  /** Markdown for the summary page of a CI run, if the consumer of the format has one; "" for nothing. */
  summarise?(report: Report): string;
}
