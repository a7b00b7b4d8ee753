import { verdictOf } from "../row.js";
import type { NamedInput, Preamble, Reporter } from "./reporter.js";

/** One JSON object when all is done, for programs. */
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
      const rows = results.map(({ row: { id, what, peer }, measurement }) => ({
        id,
        what,
        peer,
        ...measurement,
        verdict: verdictOf(measurement),
      }));
      const report = { tool: "bench", ...setting, inputs: written, rows };
      stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
    },
  };
}
