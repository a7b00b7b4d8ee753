import { join, relative, sep } from "node:path";
import { Option } from "commander";
import { parseAdapterCommand } from "../../../conformance/agreement/parse-adapter-command.js";
import type { Check } from "../../../conformance/checks/check.js";
import { requireTools } from "../../../conformance/run/require-tools.js";
import { runChecks } from "../../../conformance/run/run-checks.js";
import { toCheckReport } from "../../../conformance/run/to-check-report.js";
import type { Report } from "../../reporters/reporter.js";
import { findNearest, formatCount } from "../../text.js";
import { EXIT, type ExitCode, UserError } from "../../user-error.js";
import { describeChecks } from "../check/describe-checks.js";
import { describeCoverage } from "../check/describe-coverage.js";
import { requireCheckout } from "../check/require-checkout.js";
import { startCheckProgress } from "../check/start-check-progress.js";
import type { Command, CommandContext, CommandInput } from "../command.js";
import { printReport } from "../print-report.js";
import { findingOptions, readFindingLimits } from "../shared-options.js";

/** What only a run of checks has a use for; beside anything else it would be ignored without a word. */
const RUN_OPTIONS = ["only", "adapter", "format", "maxErrors", "maxWarnings"];

/** The conformance run: a table and findings on stdout, the summary on stderr. */
export const check: Command = {
  name: "check",
  summary: "whether schemas, generated code, fixtures and exporter still agree",
  options: [
    new Option("--only <id...>", "run these checks and no other"),
    new Option("--list", "print the checks and what each holds, and run none").conflicts([
      ...RUN_OPTIONS,
      ...["coverageReport", "root"],
    ]),
    new Option(
      "--adapter <command...>",
      "somebody else's implementation, compared by the check agreement: see docs/adapters.md",
    ),
    new Option(
      "--coverage-report",
      "print which constraints the fixtures pin, keyword by keyword, and run no check",
    ).conflicts(RUN_OPTIONS),
    new Option(
      "--root <dir>",
      "checkout to look at; by default the one that this program belongs to",
    ),
    ...findingOptions,
  ],
  examples: [
    "check",
    "check --only registry generated-fresh",
    'check --only agreement --adapter "python3 adapter.py schema"',
    "check --format sarif > check.sarif",
    "check --format github",
  ],
  async run(input, context) {
    // All that the checks need is loaded here, since no other command needs it.
    const { checks } = await import("../../../conformance/checks/index.js");
    const { options } = input;
    if (options.flag("list")) {
      context.stdout.write(describeChecks(checks));
      return EXIT.ok;
    }
    const root = requireCheckout(options.optionalText("root"), context.cwd);
    if (options.flag("coverageReport")) return await printCoverage(root, context);
    const only = options.optionalTexts("only");
    requireIds(only ?? [], checks);
    const chosen = checks.filter(({ id }) => only?.includes(id) ?? true);
    if (options.optionalTexts("adapter") !== undefined) requireAdapters(chosen, checks);
    // Some checks take a minute: what cannot be run is told before they begin.
    if (chosen.some(({ runsScript }) => runsScript)) requireTools(root);
    return await runChosen(chosen, root, input, context);
  },
};

async function runChosen(
  chosen: readonly Check[],
  root: string,
  { options }: CommandInput,
  context: CommandContext,
): Promise<ExitCode> {
  const started = performance.now();
  const ids = chosen.map(({ id }) => id);
  const progress = startCheckProgress(ids, context.stderr);
  const results = await runChecks(chosen, root, {
    adapters: options.optionalTexts("adapter")?.map(parseAdapterCommand) ?? [],
    onDone: (result) => progress.done(result.check.id),
  });
  progress.stop();
  const report = toCheckReport(results, {
    limits: readFindingLimits(options),
    toName: (file) => relative(context.cwd, join(root, file)).replaceAll(sep, "/"),
  });
  printReport(report, options.text("format"), context);
  const seconds = ((performance.now() - started) / 1000).toFixed(2);
  context.stderr.write(
    `${describeRun(report, chosen)} (${describeExtent(report)}, ${seconds} s)\n`,
  );
  return report.found.error > 0 ? EXIT.findings : EXIT.ok;
}

/** Gives `findings` when a mutant of a schema survives. */
async function printCoverage(root: string, { stdout }: CommandContext): Promise<ExitCode> {
  const { createCoverageReport } = await import(
    "../../../conformance/coverage/create-coverage-report.js"
  );
  const report = createCoverageReport(root);
  stdout.write(describeCoverage(report));
  const counts = report.rows.flatMap(({ loosened, tightened }) => [loosened, tightened]);
  const isWhole = counts.length > 0 && counts.every(({ mutants, killed }) => mutants === killed);
  return isWhole ? EXIT.ok : EXIT.findings;
}

function requireIds(only: readonly string[], checks: readonly Check[]): void {
  const ids = checks.map(({ id }) => id);
  const unknown = only.find((id) => !ids.includes(id));
  if (unknown === undefined) return;
  throw new UserError(
    `--only: no check is called ${JSON.stringify(unknown)} (Did you mean ${findNearest(unknown, ids)}?)`,
    EXIT.usage,
  );
}

/** Adapters that no check runs would be compared with nothing, and nobody would know. */
function requireAdapters(chosen: readonly Check[], checks: readonly Check[]): void {
  if (chosen.some(({ takesAdapters }) => takesAdapters)) return;
  const ids = checks.filter(({ takesAdapters }) => takesAdapters).map(({ id }) => id);
  throw new UserError(`--adapter is for the check ${ids.join(", ")}: name it too`, EXIT.usage);
}

function describeRun({ found }: Report, chosen: readonly Check[]): string {
  const findings = formatCount(found.error + found.warning, "finding");
  return `${findings} in ${formatCount(chosen.length, "check")}`;
}

function describeExtent({ checked }: Report): string {
  return `${formatCount(checked, "thing")} checked`;
}
