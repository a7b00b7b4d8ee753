/** A line of a summary: what it is about, and what there is to say; "" continues the one above. */
export type SummaryRow = readonly [label: string, text: string];

/** Width of the label column: the longest label, `decontamination`, and a gap of four. */
const LABEL_WIDTH = 19;

/** Rows as indented lines, each with its newline. */
export function formatRows(rows: readonly SummaryRow[]): string {
  return rows.map(([label, text]) => `  ${label.padEnd(LABEL_WIDTH)}${text}\n`).join("");
}
