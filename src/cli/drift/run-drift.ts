import { Canonical } from "../../drift/canonical.js";
import type { Finding } from "../../findings/finding.js";
import { createFinding, describeFindings } from "../../findings/finding.js";
import { FindingList } from "../../findings/finding-list.js";
import { toSafeJson } from "../../json/print.js";
import { packageRoot } from "../../package-root.js";
import { EXIT, type ExitCode } from "../../user-error.js";
import type { CommandContext, CommandInput } from "../command.js";
import type { OptionValues } from "../option-values.js";
import { printReport } from "../print-report.js";
import { readFindingLimits } from "../shared-options.js";
import { describeCopies } from "./describe-copies.js";
import { driftOfFolder } from "./drift-of-folder.js";
import { driftOfLock } from "./drift-of-lock.js";
import { driftOfRepositories } from "./drift-of-repositories.js";
import type { DriftResult } from "./drift-result.js";
import { toDriftReport } from "./to-drift-report.js";

/** Looks at copies, prints what they are, and says by the exit code whether anything is wrong. */
export function runDrift({ options }: CommandInput, context: CommandContext): ExitCode {
  const result = look(options, new Canonical(packageRoot()), context.cwd);
  const list = new FindingList(readFindingLimits(options));
  const findings = requireChecked(result).map((finding) =>
    list.addLocated(options.flag("latest") ? demandLatest(finding) : finding),
  );
  const { count, thing = "artefact" } = result;
  const report = { ...list.toReport("drift"), checked: count, thing };
  const format = options.text("format");
  if (format === "json") context.stdout.write(toSafeJson(toDriftReport(result, report)));
  else {
    if (format === "text") context.stdout.write(describeCopies(result));
    printReport(report, format, context);
  }
  context.stderr.write(describeSummary(result, list));
  return toExitCode(result, findings);
}

function look(options: OptionValues, canonical: Canonical, cwd: string): DriftResult {
  const repositories = options.optionalTexts("repo");
  const context = { cwd, latest: options.flag("latest") };
  if (repositories !== undefined) return driftOfRepositories(repositories, canonical, context);
  const folder = options.optionalText("scan");
  if (folder !== undefined) return driftOfFolder(folder, canonical, cwd);
  return driftOfLock(canonical, context);
}

/** To have looked at nothing is a failure: it would be green whatever the copies were. */
function requireChecked({
  findings,
  count,
  place = ".",
  isIncomplete,
}: DriftResult): readonly Finding[] {
  if (count > 0 || isIncomplete) return findings;
  const message = "holds nothing that could be looked at";
  return [...findings, createFinding({ id: "nothing-checked", file: place, message })];
}

function demandLatest(finding: Finding): Finding {
  return finding.id === "behind-latest" ? { ...finding, severity: "error" } : finding;
}

function describeSummary({ checked, mends }: DriftResult, list: FindingList): string {
  const mend = mends.length === 0 ? "" : `Mend:\n${mends.map((line) => `  ${line}\n`).join("")}`;
  return `${describeFindings(list)} (${checked.join(", ")})\n${mend}`;
}

function toExitCode({ isIncomplete }: DriftResult, findings: readonly Finding[]): ExitCode {
  if (isIncomplete) return EXIT.unreadable;
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return EXIT.ok;
  return errors.every(({ id }) => id === "undecided") ? EXIT.undecided : EXIT.findings;
}
