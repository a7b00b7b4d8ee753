import type { FindFix } from "../findings/group-by-cause.js";
import type { Report } from "../findings/report.js";

export interface ReportStyle {
  /** Whether the output is a terminal with colours. */
  readonly colour: boolean;
  /** Default: no fix is known. */
  readonly findFix?: FindFix;
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
