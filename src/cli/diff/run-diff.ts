import type { DiffFinding } from "#generated/index.js";
import type { VersionComparison } from "../../../conformance/compat/compare-versions.js";
import { toDiffFindings } from "../../../conformance/compat/to-diff-findings.js";
import { FindingList } from "../../../conformance/findings/finding-list.js";
import { toSafeJson } from "../../records/to-safe-json.js";
import { EXIT, type ExitCode } from "../../user-error.js";
import type { CommandContext, CommandInput } from "../command.js";
import { printReport } from "../print-report.js";
import { readFindingLimits } from "../shared-options.js";
import { type Choice, isChosen, readChoice } from "./choice.js";
import { compareSources } from "./compare-sources.js";
import { describeDiff } from "./describe-diff.js";
import { describeMovers } from "./describe-movers.js";
import { findSchemaSource } from "./find-schema-source.js";
import { toDiffReport } from "./to-diff-report.js";

/** Compares, prints, and says by the exit code what broke of what the user asked for. */
export function runDiff({ operands, options }: CommandInput, context: CommandContext): ExitCode {
  const [oldName = "", newName = ""] = operands;
  const compared = compareSources(
    findSchemaSource(oldName, context.cwd),
    findSchemaSource(newName, context.cwd),
  );
  const { comparison, versions, changes } = compared;
  const choice = readChoice(options);
  const format = options.text("format");
  const list = new FindingList(readFindingLimits(options));
  const add = (finding: DiffFinding): DiffFinding[] => {
    const severity = isChosen(finding, choice) ? "error" : "warning";
    // Programs are told of all lenses, people and annotations of what was asked for.
    if (severity === "warning" && format !== "json") return [];
    const judged = { ...finding, ...list.addLocated({ ...finding, severity }) };
    const isListed = list[`${judged.severity}s`] <= list.limits.maxErrors;
    return isListed ? [judged] : [];
  };
  const shown = changes.map((placed) => {
    const found = toDiffFindings(placed, versions);
    return { ...placed, found, listed: found.flatMap(add) };
  });
  const report = { ...list.toReport("diff"), checked: 2 * comparison.entries.length };
  if (format === "json") {
    const listed = shown.flatMap((change) => change.listed);
    context.stdout.write(toSafeJson(toDiffReport(compared, report, listed)));
  } else if (format === "text") {
    const colour = context.stdout.isTTY === true && !context.env.NO_COLOR;
    context.stdout.write(describeDiff({ comparison, choice, shown, report }, colour));
  } else printReport(report, format, context);
  context.stderr.write(describeMovers(comparison, versions));
  return toExitCode(comparison, choice);
}

function toExitCode(
  { lenses }: VersionComparison,
  { lenses: chosen, directions }: Choice,
): ExitCode {
  const verdicts = chosen.flatMap((lens) => directions.map((direction) => lenses[lens][direction]));
  if (verdicts.includes("breaking")) return EXIT.findings;
  return verdicts.includes("undecided") ? EXIT.undecided : EXIT.ok;
}
