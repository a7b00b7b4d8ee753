import type { Report } from "../findings/report.js";

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
