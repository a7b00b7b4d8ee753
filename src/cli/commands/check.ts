import { existsSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { Option } from "commander";
import type { Report } from "../../base/findings/report.js";
import { packageRoot } from "../../base/package.js";
import { escapeControls, formatCount } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import type { Command, CommandContext } from "../command.js";
import { findingOptions, readFindingLimits } from "../options.js";
import { printReport } from "../output.js";
import { createBar, hasBar } from "../progress.js";

/** Options for running checks. The modes that run no checks would silently ignore them. */
const RUN_OPTIONS = ["only", "adapter", "format", "maxErrors", "maxWarnings"];

/** The conformance checks. Prints a table and findings on stdout, and the summary on stderr. */
export const command: Command = {
  options: [
    new Option("--only <id...>", "run only these checks"),
    new Option("--list", "list the checks with their purposes, and run none").conflicts([
      ...RUN_OPTIONS,
      ...["coverageReport", "root"],
    ]),
    new Option(
      "--adapter <command...>",
      "command of another implementation for the check agreement; see docs/adapters.md",
    ),
    new Option(
      "--coverage-report",
      "list the constraints that the fixtures cover, by keyword, and run no check",
    ).conflicts(RUN_OPTIONS),
    new Option("--root <dir>", "checkout to verify (default: the one that contains this program)"),
    ...findingOptions,
  ],
  examples: [
    "check",
    "check --only registry generated-fresh",
    'check --only agreement --adapter "python3 adapter.py schema"',
    "check --format sarif > check.sarif",
    "check --format github",
  ],
  async run({ options }, context) {
    // Lazy, because no other command needs it.
    const { chooseChecks, listChecks, printCoverage, runGate } = await import(
      "../../../conformance/gate.js"
    );
    if (options.flag("list")) {
      context.stdout.write(listChecks());
      return EXIT.ok;
    }
    const root = requireCheckout(options.optionalText("root"), context.cwd);
    if (options.flag("coverageReport")) {
      const { text, isWhole } = printCoverage(root);
      context.stdout.write(text);
      return isWhole ? EXIT.ok : EXIT.findings;
    }
    const adapters = options.optionalTexts("adapter");
    const chosen = chooseChecks({ only: options.optionalTexts("only"), adapters });
    const started = performance.now();
    const progress = await startCheckProgress(
      chosen.map(({ id }) => id),
      context,
    );
    const report = await runGate(chosen, root, {
      adapters: adapters ?? [],
      onDone: progress.done,
      limits: readFindingLimits(options),
      toName: (file) => relative(context.cwd, join(root, file)).replaceAll(sep, "/"),
    }).finally(progress.stop);
    printReport(report, options.text("format"), context);
    const seconds = ((performance.now() - started) / 1000).toFixed(2);
    context.stderr.write(`${describeRun(report, seconds)}\n`);
    return report.found.error > 0 ? EXIT.findings : EXIT.ok;
  },
};

/** Files that a checkout has and an installed package does not. */
const CHECKOUT_FILES = ["schema/registry.json", "fixtures", "rollout-wire.config.json"];

/**
 * Returns the root of the checkout in `folder`, by default of the one that contains this program and the working
 * folder. Throws UserError (exit 3) if it is not a checkout: an installed package has no fixtures and no code generator.
 */
function requireCheckout(folder: string | undefined, cwd: string): string {
  const root = folder === undefined ? packageRoot() : resolve(cwd, folder);
  const missing = CHECKOUT_FILES.find((file) => !existsSync(join(root, file)));
  if (missing === undefined) {
    requireInside(root, folder === undefined ? cwd : root);
    return root;
  }
  const named = folder === undefined ? "an installed package" : escapeControls(folder);
  throw new UserError(
    `${named} is not a checkout of rollout-wire (no ${missing}): give one with --root DIR`,
  );
}

/** A report must not be about another tree than the one that the user stands in. */
function requireInside(root: string, folder: string): void {
  if (relative(root, folder).split(sep)[0] !== "..") return;
  throw new UserError(
    `check verifies a checkout of rollout-wire, and this folder is not in ${escapeControls(root)}: name a checkout with --root DIR; for the copies in this folder, run drift`,
  );
}

function describeRun({ found, checked, checks = [] }: Report, seconds: string): string {
  const findings = formatCount(found.error + found.warning, "finding");
  const waiting = checks.filter(({ waitsFor }) => waitsFor !== undefined).length;
  const ran = formatCount(checks.length - waiting, "check");
  const extent = `${formatCount(checked, "thing")} checked, ${seconds} s`;
  return `${findings} in ${ran}${waiting > 0 ? `, ${waiting} not run` : ""} (${extent})`;
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
