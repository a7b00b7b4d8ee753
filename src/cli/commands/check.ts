import { existsSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { Option } from "commander";
import type { BaselineChoice } from "../../../conformance/gate.js";
import type { Report } from "../../base/findings/report.js";
import { CONFIG_FILE } from "../../base/package.js";
import { escapeControls, formatCount } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import type { Command, CommandContext, OptionValues } from "../command.js";
import {
  describeAccepted,
  expiresOption,
  findingOptions,
  readAcceptance,
  readFindingLimits,
} from "../options.js";
import { printReport } from "../output.js";
import { createBar, hasBar } from "../progress.js";

/** Options for running checks. The modes that run no checks would silently ignore them. */
const RUN_OPTIONS = [
  ...["only", "adapter", "baseline", "accept", "expires"],
  ...["format", "maxErrors", "maxWarnings"],
];

/** The conformance checks. Prints a table and findings on stdout, and the summary on stderr. */
export const command: Command = {
  options: [
    new Option("--only <id...>", "run only these checks"),
    new Option("--list", "list the checks with their purposes, and run none").conflicts([
      ...RUN_OPTIONS,
      ...["coverageReport", "writeFixtures", "writeGolden", "root"],
    ]),
    new Option(
      "--adapter <command...>",
      "command of another implementation for the check agreement; see docs/schemas.md",
    ),
    new Option(
      "--baseline <file>",
      "findings that are expected; an entry that is no longer found is an error",
    ),
    new Option("--accept <reason>", "enter what is found in the file of --baseline"),
    expiresOption,
    new Option(
      "--coverage-report",
      "list the constraints that the fixtures cover, by keyword, and run no check",
    ).conflicts(RUN_OPTIONS),
    new Option(
      "--write-fixtures",
      "write the fixtures that constraint-coverage lacks into the suites, and run no check",
    ).conflicts([...RUN_OPTIONS, "coverageReport"]),
    new Option(
      "--write-golden",
      "rewrite the committed outputs of the check golden, print what changed, and run no check",
    ).conflicts([...RUN_OPTIONS, "coverageReport", "writeFixtures"]),
    new Option(
      "--root <dir>",
      "root of the repository (default: the nearest folder above with a configuration)",
    ),
    ...findingOptions,
  ],
  examples: [
    "check",
    "check --only registry generated-fresh",
    'check --only agreement --adapter "python3 adapter.py schema"',
    'check --baseline known.json --accept "goes with release 3"',
    "check --format sarif > check.sarif",
    "check --format github",
  ],
  async run({ options }, context) {
    // Lazy, because no other command needs it.
    const {
      chooseChecks,
      listChecks,
      listUnconfigured,
      openWorkspace,
      printCoverage,
      rewriteGolden,
      runGate,
      writeMissing,
    } = await import("../../../conformance/gate.js");
    if (options.flag("list")) {
      context.stdout.write(listChecks());
      return EXIT.ok;
    }
    const root = findRoot(options.optionalText("root"), context.cwd);
    const workspace = await openWorkspace(root);
    if (options.flag("coverageReport")) {
      const { text, isEnough } = await printCoverage(workspace);
      context.stdout.write(text);
      return isEnough ? EXIT.ok : EXIT.findings;
    }
    if (options.flag("writeFixtures")) {
      const { text, isWhole } = await writeMissing(workspace);
      context.stdout.write(text);
      return isWhole ? EXIT.ok : EXIT.findings;
    }
    if (options.flag("writeGolden")) {
      requireNoCi(context);
      const { text, isWritten } = await rewriteGolden(workspace);
      context.stdout.write(text);
      return isWritten ? EXIT.ok : EXIT.findings;
    }
    const baseline = readBaselineChoice(options, context.cwd);
    const adapters = options.optionalTexts("adapter");
    const chosen = chooseChecks({ only: options.optionalTexts("only"), adapters }, workspace);
    const started = performance.now();
    const progress = await startCheckProgress(
      chosen.map(({ id }) => id),
      context,
    );
    const { report, expected, accepted, notes } = await runGate(chosen, workspace, {
      adapters: adapters ?? [],
      onDone: progress.done,
      baseline,
      limits: readFindingLimits(options),
      toName: (file) => relative(context.cwd, join(root, file)).replaceAll(sep, "/"),
    }).finally(progress.stop);
    printReport(report, options.text("format"), context);
    const seconds = ((performance.now() - started) / 1000).toFixed(2);
    context.stderr.write(`${describeRun(report, expected, seconds)}\n`);
    for (const note of notes) context.stderr.write(`${note}\n`);
    const missing = options.isGiven("only") ? [] : listUnconfigured(workspace);
    if (missing.length > 0) context.stderr.write(`not configured: ${missing.join(", ")}\n`);
    if (baseline?.acceptance !== undefined) {
      context.stderr.write(describeAccepted(accepted, baseline.acceptance, baseline.file));
    }
    return report.found.error > 0 ? EXIT.findings : EXIT.ok;
  },
};

/**
 * The root of the repository to check: `folder`, or the nearest one from the working folder upwards that has a
 * configuration. Throws UserError (exit 3) if there is none.
 */
function findRoot(folder: string | undefined, cwd: string): string {
  const hasConfig = (each: string): boolean => existsSync(join(each, CONFIG_FILE));
  let root = resolve(cwd, folder ?? ".");
  while (folder === undefined && !hasConfig(root) && dirname(root) !== root) root = dirname(root);
  if (hasConfig(root)) return root;
  const place = folder === undefined ? "this folder and those above it" : escapeControls(folder);
  throw new UserError(
    `${place}: no ${CONFIG_FILE} says which schemas to check: run init --write in the repository, or name its root with --root DIR`,
  );
}

/** Throws UserError (exit 2) for an acceptance without a file that takes it. */
function readBaselineChoice(options: OptionValues, cwd: string): BaselineChoice | undefined {
  const file = options.optionalText("baseline");
  const acceptance = readAcceptance(options);
  if (file !== undefined) return { file, cwd, acceptance };
  if (acceptance === undefined) return undefined;
  throw new UserError("--accept requires --baseline", EXIT.usage);
}

/** In CI, the check must detect a changed output, and nobody would commit a rewritten one. */
function requireNoCi({ env }: Pick<CommandContext, "env">): void {
  if (!env.CI) return;
  throw new UserError(
    "CI is set: golden outputs are compared there and never rewritten; run it on your machine",
    EXIT.usage,
  );
}

function describeRun(
  { found, checked, checks = [] }: Report,
  expected: number,
  seconds: string,
): string {
  const findings = formatCount(found.error + found.warning, "finding");
  const waiting = checks.filter(({ waitsFor }) => waitsFor !== undefined).length;
  const ran = formatCount(checks.length - waiting, "check");
  const extent = `${formatCount(checked, "thing")} checked, ${seconds} s`;
  const borne = expected > 0 ? `, ${formatCount(expected, "expected failure")}` : "";
  return `${findings} in ${ran}${waiting > 0 ? `, ${waiting} not run` : ""}${borne} (${extent})`;
}

/** Shows the progress of a conformance run. */
interface CheckProgress {
  /** Reports that the check with this id is done. */
  readonly done: (id: string) => void;
  /** Clears the progress line. */
  readonly stop: () => void;
}

/** Shows a bar on a terminal, and nothing elsewhere. `ids` are those of all checks of the run. */
async function startCheckProgress(
  ids: readonly string[],
  context: Pick<CommandContext, "stderr" | "env">,
): Promise<CheckProgress> {
  if (!hasBar(context)) return { done() {}, stop() {} };
  const waiting = new Set(ids);
  const bar = await createBar(context.stderr);
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
