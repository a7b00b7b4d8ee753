import type { DiffFinding } from "#generated/index.js";
import type { VersionComparison } from "../../compat/compare-versions.js";
import { toDiffFindings } from "../../compat/findings.js";
import { type CorpusReplay, replayCorpus } from "../../compat/replay-corpus.js";
import type { FormatMode } from "../../compat/schema-set.js";
import { expandInputs, requireFiles } from "../../files/inputs.js";
import { FindingList } from "../../findings/finding-list.js";
import { toSafeJson } from "../../json/print.js";
import { EXIT, type ExitCode } from "../../user-error.js";
import type { CommandContext, CommandInput } from "../command.js";
import type { OptionValues } from "../option-values.js";
import { printReport } from "../print-report.js";
import { readFindingLimits } from "../shared-options.js";
import { type Choice, directionsOf, isChosen, readChoice } from "./choice.js";
import { chooseFormats } from "./choose-formats.js";
import { type ComparedSources, compareSources } from "./compare-sources.js";
import { describeCorpus, describeDoubt, describeSwept } from "./describe-corpus.js";
import { describeDiff } from "./describe-diff.js";
import { describeMovers } from "./describe-movers.js";
import { findSchemaSource } from "./find-schema-source.js";
import { toDiffReport } from "./to-diff-report.js";

/** Compares, prints, and says by the exit code what broke of what the user asked for. */
export async function runDiff(
  { operands, options }: CommandInput,
  context: CommandContext,
): Promise<ExitCode> {
  const [oldName = "", newName = ""] = operands;
  const sources = [oldName, newName].map((name) => findSchemaSource(name, context.cwd));
  const [before, after] = sources;
  if (before === undefined || after === undefined) throw new RangeError("two versions are needed");
  const formats = readFormats(options) ?? chooseFormats(sources);
  const compared = compareSources(before, after, formats);
  const corpus = await replay(options.optionalTexts("corpus"), compared, context);
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
  const checked = 2 * comparison.entries.length;
  const report = { ...list.toReport("diff"), checked, thing: "comparison" };
  if (format === "json") {
    const listed = shown.flatMap((change) => change.listed);
    context.stdout.write(toSafeJson(toDiffReport(compared, { report, findings: listed, corpus })));
  } else if (format === "text") {
    const colour = context.stdout.isTTY === true && !context.env.NO_COLOR;
    context.stdout.write(describeDiff({ comparison, choice, shown, report }, colour));
  } else printReport(report, format, context);
  if (corpus !== undefined) context.stderr.write(describeCorpus(corpus));
  context.stderr.write(describeMovers(comparison, versions));
  const exitCode = toExitCode(comparison, choice);
  const doubt = corpus && describeDoubt(corpus);
  if (doubt === undefined) return exitCode;
  context.stderr.write(`${doubt}\n`);
  // That it breaks stays the verdict; that it does not, nobody has seen.
  return exitCode === EXIT.findings ? exitCode : EXIT.unreadable;
}

function readFormats(options: OptionValues): FormatMode | undefined {
  const mode = options.optionalText("formats");
  return mode === "assert" || mode === "annotate" ? mode : undefined;
}

async function replay(
  files: readonly string[] | undefined,
  { versions }: ComparedSources,
  context: CommandContext,
): Promise<CorpusReplay | undefined> {
  if (files === undefined) return undefined;
  const inputs = await expandInputs(files, context);
  await requireFiles(inputs, context);
  const swept = inputs.filter((input) => !files.includes(input));
  if (swept.length > 0) context.stderr.write(describeSwept(swept));
  return await replayCorpus({ old: versions.old.root, new: versions.new.root }, inputs, context);
}

function toExitCode({ lenses }: VersionComparison, choice: Choice): ExitCode {
  const verdicts = choice.lenses.flatMap((lens) =>
    directionsOf(lens, choice).map((direction) => lenses[lens][direction]),
  );
  if (verdicts.includes("breaking")) return EXIT.findings;
  return verdicts.includes("undecided") ? EXIT.undecided : EXIT.ok;
}
