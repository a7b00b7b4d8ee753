import { formatRows } from "../../../src/cli/output.js";
import { formatBytes, formatCount } from "../../../src/text.js";
import { formatMeasurement, TABLE_HEAD } from "../format-measurement.js";
import { verdictOf } from "../row.js";
import type { Reporter } from "./reporter.js";

/** The table for people, line by line as it comes; what falls short stands once more at its end. */
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
