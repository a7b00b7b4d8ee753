import type { Comparison } from "../../../conformance/compat/compare.js";
import type { Direction } from "../../../conformance/compat/compare-versions.js";
import { FindingList } from "../../../conformance/findings/finding-list.js";
import { EXIT, type ExitCode } from "../../user-error.js";
import type { Command } from "../command.js";
import { findSchemaSource } from "../diff/find-schema-source.js";
import { printReport } from "../print-report.js";
import { findingOptions, readFindingLimits } from "../shared-options.js";

const MEANINGS: Readonly<Record<Direction, Readonly<Record<Comparison["verdict"], string>>>> = {
  backward: {
    compatible: "new readers accept all old data",
    breaking: "new readers reject data that is valid today",
    undecided: "whether new readers accept all old data, nobody could say",
  },
  forward: {
    compatible: "old readers accept all new data",
    breaking: "old readers reject data that is valid after the change",
    undecided: "whether old readers accept all new data, nobody could say",
  },
};

/** Two versions of a schema, and what the change between them breaks. */
export const diff: Command = {
  name: "diff",
  summary: "what a change of a schema breaks, with a record that proves it",
  operands: "<old> <new>",
  options: findingOptions,
  examples: [
    "diff released:rollout-wire/v1 schema/rollout-wire.schema.json",
    "diff main:schema/rollout-wire.schema.json schema/rollout-wire.schema.json",
    "diff old.schema.json new.schema.json --format github",
  ],
  async run({ operands, options }, context) {
    const [oldName = "", newName = ""] = operands;
    // Ajv is loaded here, since most other commands do without it.
    const { compareSources } = await import("../diff/compare-sources.js");
    const { backward, forward, bump, entries, findings } = compareSources(
      findSchemaSource(oldName, context.cwd),
      findSchemaSource(newName, context.cwd),
    );
    const list = new FindingList(readFindingLimits(options));
    for (const finding of findings) list.addLocated(finding);
    if (options.text("format") === "text") {
      context.stdout.write(describe("backward", backward) + describe("forward", forward));
      if (list.errors > 0) context.stdout.write("\n");
    }
    const report = { ...list.toReport("diff"), checked: 2 * entries.length };
    printReport(report, options.text("format"), context);
    context.stderr.write(`bump: ${bump}\n`);
    return toExitCode([backward, forward]);
  },
};

function describe(direction: Direction, verdict: Comparison["verdict"]): string {
  return `${direction.padEnd(10)}${verdict.padEnd(14)}${MEANINGS[direction][verdict]}\n`;
}

function toExitCode(verdicts: readonly Comparison["verdict"][]): ExitCode {
  if (verdicts.includes("breaking")) return EXIT.findings;
  return verdicts.includes("undecided") ? EXIT.undecided : EXIT.ok;
}
