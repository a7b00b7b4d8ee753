import { join, relative, sep } from "node:path";
import { Option } from "commander";
import type { Check } from "../../../conformance/checks/check.js";
import { checks } from "../../../conformance/checks/index.js";
import type { Report } from "../../../conformance/reporters/reporter.js";
import { runChecks } from "../../../conformance/run-checks.js";
import { toCheckReport } from "../../../conformance/to-check-report.js";
import { formatCount } from "../../records/format-count.js";
import { EXIT } from "../../user-error.js";
import type { Command } from "../command.js";
import { printReport } from "../print-report.js";
import { requireCheckout } from "../require-checkout.js";
import { findingOptions, readFindingLimits } from "../shared-options.js";

/** The conformance run: a table and findings on stdout, the summary on stderr. */
export const check: Command = {
  name: "check",
  summary: "whether schemas, generated code, fixtures and exporter still agree",
  options: [
    new Option("--only <id...>", "run these checks and no other").choices(
      checks.map(({ id }) => id),
    ),
    new Option("--list", "print the checks and what each holds, and run none"),
    new Option(
      "--root <dir>",
      "checkout to look at; by default the one that this program belongs to",
    ),
    ...findingOptions,
  ],
  examples: [
    "check",
    "check --only registry generated-fresh",
    "check --format sarif > check.sarif",
    "check --format github",
  ],
  async run({ options }, context) {
    if (options.flag("list")) {
      context.stdout.write(describeChecks());
      return EXIT.ok;
    }
    const started = performance.now();
    const root = requireCheckout(options.optionalText("root"), context.cwd);
    const only = options.optionalTexts("only");
    const chosen = checks.filter(({ id }) => only?.includes(id) ?? true);
    const results = await runChecks(chosen, root);
    const report = toCheckReport(results, {
      limits: readFindingLimits(options),
      toName: (file) => relative(context.cwd, join(root, file)).replaceAll(sep, "/"),
    });
    printReport(report, options.text("format"), context);
    const seconds = ((performance.now() - started) / 1000).toFixed(2);
    context.stderr.write(
      `${describeRun(report, chosen)} (${describeExtent(report)}, ${seconds} s)\n`,
    );
    return report.found.error > 0 || chosen.length === 0 ? EXIT.findings : EXIT.ok;
  },
};

function describeChecks(): string {
  const width = Math.max(...checks.map(({ id }) => id.length));
  return checks.map(({ id, purpose }) => `  ${id.padEnd(width)}  ${purpose}\n`).join("");
}

function describeRun({ found }: Report, chosen: readonly Check[]): string {
  const findings = formatCount(found.error + found.warning, "finding");
  return `${findings} in ${formatCount(chosen.length, "check")}`;
}

function describeExtent({ checked }: Report): string {
  return `${formatCount(checked, "thing")} checked`;
}
