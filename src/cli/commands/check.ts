import { existsSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { Option } from "commander";
import { parseAdapterCommand } from "../../../conformance/agreement/adapter.js";
import type { Check } from "../../../conformance/checks/check.js";
import type {
  CoverageReport,
  CoverageRow,
  MutantCounts,
} from "../../../conformance/coverage/coverage.js";
import { requireTools, runChecks, toCheckReport } from "../../../conformance/run.js";
import type { Report } from "../../findings/report.js";
import { packageRoot } from "../../package-root.js";
import { escapeControls, findNearest, formatCount } from "../../text.js";
import { EXIT, type ExitCode, UserError } from "../../user-error.js";
import type { Command, CommandContext, CommandInput, OutputStream } from "../command.js";
import { findingOptions, readFindingLimits } from "../options.js";
import { printReport } from "../output.js";
import { createBar } from "../progress.js";

/** A line for each check: its id and what it holds. */
export function describeChecks(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ id }) => id.length));
  return checks.map(({ id, purpose }) => `  ${id.padEnd(width)}  ${purpose}\n`).join("");
}

const HEADER = ["schema", "keyword", "places", "loosened", "tightened", "equivalent"];

/**
 * Constraint coverage as a table: for each keyword of a schema the places that have it, how many of its
 * mutants the fixtures kill, and how many no record can tell; then those, each with the reason.
 */
export function describeCoverage({ rows, equivalent }: CoverageReport): string {
  const table = [HEADER, ...rows.map(toCells), toCells(sumOf(rows))];
  const widths = HEADER.map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  const lines = table.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0, column))
      .join("  ")
      .trimEnd(),
  );
  const reasons = equivalent.map(
    ({ file, pointer, change, reason }) => `  ${file} ${pointer}  ${change}: ${reason}\n`,
  );
  const heading = `\n${formatCount(equivalent.length, "mutant")} that no record can tell:\n`;
  return `${lines.map((line) => `  ${line}\n`).join("")}${reasons.length > 0 ? heading : ""}${reasons.join("")}`;
}

/** Names stand to the left, numbers to the right. */
function pad(cell: string, width: number, column: number): string {
  return column < 2 ? cell.padEnd(width) : cell.padStart(width);
}

function toCells({ schema, keyword, constraints, loosened, tightened }: CoverageRow): string[] {
  const equivalent = loosened.equivalent + tightened.equivalent;
  return [
    schema,
    keyword,
    String(constraints),
    describeKilled(loosened),
    describeKilled(tightened),
    String(equivalent),
  ];
}

function describeKilled({ killed, mutants }: MutantCounts): string {
  return `${killed} of ${mutants}`;
}

function sumOf(rows: readonly CoverageRow[]): CoverageRow {
  return {
    schema: "all",
    keyword: "",
    constraints: rows.reduce((sum, { constraints }) => sum + constraints, 0),
    loosened: sumCounts(rows.map(({ loosened }) => loosened)),
    tightened: sumCounts(rows.map(({ tightened }) => tightened)),
  };
}

function sumCounts(counts: readonly MutantCounts[]): MutantCounts {
  return {
    mutants: counts.reduce((sum, { mutants }) => sum + mutants, 0),
    killed: counts.reduce((sum, { killed }) => sum + killed, 0),
    equivalent: counts.reduce((sum, { equivalent }) => sum + equivalent, 0),
  };
}

/** What a checkout has and an installed package does not. */
const CHECKOUT_FILES = ["schema/registry.json", "fixtures", "scripts/generate.ts"];

/**
 * Root of the checkout in `folder`, by default of the one that this program belongs to. Throws UserError
 * (exit 3) when it is none: an installed package has no fixtures, and nothing to generate code with.
 */
export function requireCheckout(folder: string | undefined, cwd: string): string {
  const root = folder === undefined ? packageRoot() : resolve(cwd, folder);
  const missing = CHECKOUT_FILES.find((file) => !existsSync(join(root, file)));
  if (missing === undefined) return root;
  const named = folder === undefined ? "an installed package" : escapeControls(folder);
  throw new UserError(
    `${named} is no checkout of rollout-wire, it has no ${missing}: name one with --root DIR`,
  );
}

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
  const { createCoverageReport } = await import("../../../conformance/coverage/coverage.js");
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

/** Tells whoever waits how far a conformance run is. */
export interface CheckProgress {
  /** One more check is done, and was the one with this id. */
  done(id: string): void;
  /** Clears the line. */
  stop(): void;
}

/** A bar on a terminal, and nothing elsewhere. `ids` are those of all checks of the run. */
export function startCheckProgress(ids: readonly string[], stderr: OutputStream): CheckProgress {
  if (stderr.isTTY !== true) return { done() {}, stop() {} };
  const waiting = new Set(ids);
  const bar = createBar(stderr);
  const figures = (): { figures: string } => ({ figures: [...waiting].join(", ") });
  bar.start(ids.length, 0, { phase: "checking  ", ...figures() });
  return {
    done(id) {
      waiting.delete(id);
      bar.increment(1, figures());
    },
    stop: () => bar.stop(),
  };
}
