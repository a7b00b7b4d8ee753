import { formatBytes, formatCount } from "../../src/base/text.js";
import { formatRows } from "../../src/cli/summary.js";
import type { WrittenFile } from "./input-branches.js";
import { type Bar, type BenchRow, type Measurement, verdictOf } from "./row.js";
import type { DiskPlan, Setting } from "./setting.js";

/** The head of the table; `formatMeasurement` formats its lines. */
export const TABLE_HEAD = formatColumns("measured", "bar", "", "processor", "what", "figures");

/** A measurement as a line of the table. */
export function formatMeasurement(row: BenchRow, measurement: Measurement): string {
  const { value, unit, bar, figures, cpuSeconds = [] } = measurement;
  return formatColumns(
    formatValue(value, unit),
    bar === undefined ? "" : formatBar(bar, unit),
    bar === undefined ? "" : verdictOf(measurement),
    cpuSeconds.length === 0 ? "" : `${cpuSeconds.map(formatCpu).join(" / ")} s`,
    describe(row, measurement),
    figures,
  );
}

/** What was measured against what, as a phrase. */
function describe(row: BenchRow, { label, peer }: Measurement): string {
  const what = label === undefined ? row.what : `${row.what}, ${label}`;
  return peer === undefined ? what : `${what} / ${peer}`;
}

function formatValue(value: number, unit: Measurement["unit"]): string {
  // Three significant digits: a missed 0.998 must not be shown as 1.00.
  const digits = Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
  return `${digits} ${unit}`;
}

function formatCpu(seconds: number): string {
  return seconds.toFixed(2);
}

function formatBar(bar: Bar, unit: Measurement["unit"]): string {
  return "atLeast" in bar ? `>= ${bar.atLeast} ${unit}` : `<= ${bar.atMost} ${unit}`;
}

function formatColumns(
  value: string,
  bar: string,
  verdict: string,
  processor: string,
  what: string,
  figures: string,
): string {
  return `${value.padStart(9)}  ${bar.padEnd(10)}  ${verdict.padEnd(11)}  ${processor.padEnd(15)}  ${what}  (${figures})\n`;
}

/** One JSON object at the end, for programs. */
export function createJsonReporter(stdout: NodeJS.WritableStream): Reporter {
  let setting: Preamble | undefined;
  let written: readonly NamedInput[] = [];
  return {
    begin(preamble) {
      setting = preamble;
    },
    inputs(inputs) {
      written = inputs;
    },
    measured() {},
    end(results) {
      const rows = results.map(({ row: { id, what }, measurement }) => ({
        id,
        what,
        ...measurement,
        verdict: verdictOf(measurement),
      }));
      const report = { tool: "bench", ...setting, inputs: written, rows };
      stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
    },
  };
}

/** The table for people, printed line by line; missed bars are repeated at the end. */
export function createTextReporter(stdout: NodeJS.WritableStream): Reporter {
  return {
    begin({ machine, load, versions, commit, branches, runs, folder, disk }) {
      stdout.write(
        formatRows([
          ["disk", `up to ${formatBytes(disk.needed)} of ${formatBytes(disk.free)} in ${folder}`],
          ["machine", machine],
          ["load", load],
          ["versions", versions],
          ["commit", commit],
          ["size", formatCount(branches, "branch", "branches")],
          ["runs", `best of ${runs}, in turn with the peer`],
        ]),
      );
    },
    inputs(inputs) {
      for (const { id, what, records, bytes } of inputs) {
        const size = `${formatCount(records, "record")}, ${formatBytes(bytes)}`;
        stdout.write(formatRows([["input", `${id}: ${what}; ${size}`]]));
      }
      stdout.write(`\n${TABLE_HEAD}`);
    },
    measured({ row, measurement }) {
      stdout.write(formatMeasurement(row, measurement));
    },
    end(results) {
      const barred = results.filter(({ measurement }) => measurement.bar !== undefined);
      const short = barred.filter(({ measurement }) => verdictOf(measurement) === "falls short");
      const count = formatCount(barred.length, "bar");
      stdout.write(`\n${count}, ${barred.length - short.length} met, ${short.length} short\n`);
      for (const { row, measurement } of short) {
        stdout.write(formatMeasurement(row, measurement));
      }
    },
  };
}

/** The setting of a benchmark, known before anything is written. */
export interface Preamble extends Setting {
  readonly branches: number;
  readonly runs: number;
  readonly folder: string;
  readonly disk: DiskPlan;
}

export interface NamedInput extends WrittenFile {
  readonly id: string;
  readonly what: string;
}

export interface RowResult {
  readonly row: BenchRow;
  readonly measurement: Measurement;
}

/**
 * Prints a benchmark. The methods are called in this order, once each, except `measured`, which is called for
 * every result.
 */
export interface Reporter {
  begin(preamble: Preamble): void;
  inputs(inputs: readonly NamedInput[]): void;
  measured(result: RowResult): void;
  end(results: readonly RowResult[]): void;
}
