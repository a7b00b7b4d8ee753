import { type Bar, type BenchRow, type Measurement, verdictOf } from "./row.js";

/** The table's head; `formatMeasurement` gives its lines. */
export const TABLE_HEAD = formatColumns("measured", "bar", "", "what", "figures");

/** One measurement as a line of the table. */
export function formatMeasurement(row: BenchRow, measurement: Measurement): string {
  const { value, unit, bar, figures } = measurement;
  return formatColumns(
    formatValue(value, unit),
    bar === undefined ? "" : formatBar(bar, unit),
    bar === undefined ? "" : verdictOf(measurement),
    describe(row, measurement),
    figures,
  );
}

/** What was measured against what, in one phrase. */
function describe(row: BenchRow, { label, peer = row.peer }: Measurement): string {
  const what = label === undefined ? row.what : `${row.what}, ${label}`;
  return peer === undefined ? what : `${what} / ${peer}`;
}

function formatValue(value: number, unit: Measurement["unit"]): string {
  // Three digits that count: 0.998 must not look like the 1.00 that it falls short of.
  const digits = Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
  return `${digits} ${unit}`;
}

function formatBar(bar: Bar, unit: Measurement["unit"]): string {
  return "atLeast" in bar ? `>= ${bar.atLeast} ${unit}` : `<= ${bar.atMost} ${unit}`;
}

function formatColumns(
  value: string,
  bar: string,
  verdict: string,
  what: string,
  figures: string,
): string {
  return `${value.padStart(9)}  ${bar.padEnd(10)}  ${verdict.padEnd(11)}  ${what}  (${figures})\n`;
}
