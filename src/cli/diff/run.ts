import { expandInputs, requireFiles } from "../../base/files/inputs.js";
import { FindingList } from "../../base/findings/finding-list.js";
import type { Report } from "../../base/findings/report.js";
import { toSafeJson } from "../../base/json/print.js";
import { hasColour } from "../../base/paint.js";
import { EXIT, type ExitCode, UserError } from "../../base/user-error.js";
import { LENSES } from "../../contract/compat/change.js";
import { type CorpusReplay, replayCorpus } from "../../contract/compat/replay-corpus.js";
import { DIRECTIONS, type FormatMode } from "../../contract/compat/schema/schema-set.js";
import { type Choice, toExitCode } from "../../contract/compat/versions/choice.js";
import {
  type ComparedSchema,
  type CompareOptions,
  compareSchemas,
} from "../../contract/compat/versions/compare.js";
import {
  describeCorpus,
  describeCorpusGap,
  describeSwept,
} from "../../contract/compat/versions/corpus.js";
import { findChangedSchemas, findPair, isRange } from "../../contract/compat/versions/range.js";
import { toDiffReport, toRangeReport } from "../../contract/compat/versions/report.js";
import type { CommandContext, CommandInput, OptionValues } from "../command.js";
import { readFindingLimits } from "../options.js";
import { printReport } from "../output.js";
import { describeDiff, describeMovers, describeRange } from "./describe.js";
import { printHtml } from "./html.js";
import { printMarkdown } from "./markdown.js";

/**
 * Compares two versions, or the versions of all schemas that changed in a range of commits. Prints the result, and
 * returns an exit code that tells whether something broke in a direction and mode that the user selected.
 */
export async function runDiff(input: CommandInput, context: CommandContext): Promise<ExitCode> {
  const [first = ""] = input.operands;
  return await (isRange(first, context.cwd) ? diffRange : diffPair)(input, context);
}

async function diffPair(
  { operands, options }: CommandInput,
  context: CommandContext,
): Promise<ExitCode> {
  const schemaRoot = options.optionalText("schemaRoot");
  const pair = findPair("diff", operands, { cwd: context.cwd, schemaRoot });
  const settings = readSettings(options);
  const compared = compareSchemas(pair, settings);
  const corpus = await replay(options.optionalTexts("corpus"), compared, context);
  const { comparison, versions, report } = compared;
  const format = options.text("format");
  if (format === "json") context.stdout.write(toSafeJson(toDiffReport(compared, corpus)));
  else if (format === "text") {
    context.stdout.write(
      describeDiff(compared, settings.choice, hasColour(context.stdout, context.env)),
    );
  } else if (format === "markdown") {
    context.stdout.write(printMarkdown([compared], settings.choice));
  } else if (format === "html") {
    context.stdout.write(await printHtml([compared], operands));
  } else printReport(report, format, context);
  if (corpus !== undefined) context.stderr.write(describeCorpus(corpus));
  context.stderr.write(describeMovers(comparison, versions));
  const exitCode = toExitCode([comparison], settings.choice);
  const gap = corpus && describeCorpusGap(corpus);
  if (gap === undefined) return exitCode;
  context.stderr.write(`${gap}\n`);
  // A break stays the verdict. But without a break, the corpus proves nothing.
  return exitCode === EXIT.findings ? exitCode : EXIT.unreadable;
}

async function diffRange(
  { operands, options }: CommandInput,
  context: CommandContext,
): Promise<ExitCode> {
  const [range = "", ...paths] = operands;
  if (options.optionalTexts("corpus") !== undefined) {
    throw new UserError("--corpus needs two versions of one schema, not a range", EXIT.usage);
  }
  const schemaRoot = options.optionalText("schemaRoot");
  const pairs = findChangedSchemas(range, paths, { cwd: context.cwd, schemaRoot });
  const settings = readSettings(options);
  const compared = pairs.map((pair) => compareSchemas(pair, settings));
  const report = mergeReports(compared, settings);
  const format = options.text("format");
  if (format === "json") {
    context.stdout.write(toSafeJson(toRangeReport(range, compared, report)));
  } else if (format === "text") {
    context.stdout.write(
      describeRange(compared, settings.choice, hasColour(context.stdout, context.env)),
    );
  } else if (format === "markdown") {
    context.stdout.write(printMarkdown(compared, settings.choice));
  } else if (format === "html") {
    context.stdout.write(await printHtml(compared, operands));
  } else printReport(report, format, context);
  const comparisons = compared.map(({ comparison }) => comparison);
  return toExitCode(comparisons, settings.choice);
}

function readSettings(options: OptionValues): CompareOptions {
  const format = options.text("format");
  return {
    choice: readChoice(options),
    formats: readFormats(options),
    limits: readFindingLimits(options),
    // JSON output contains all modes. Text and annotations contain only the requested ones.
    listsNotes: format === "json",
  };
}

function readChoice(options: OptionValues): Choice {
  const [lenses, directions] = [options.texts("lens"), options.texts("direction")];
  return {
    lenses: LENSES.filter((lens) => lenses.includes(lens)),
    directions: DIRECTIONS.filter((direction) => directions.includes(direction)),
  };
}

function readFormats(options: OptionValues): FormatMode | undefined {
  const mode = options.optionalText("formats");
  return mode === "assert" || mode === "annotate" ? mode : undefined;
}

/** The findings of all schemas as those of one run. Each schema has its own limit of findings. */
function mergeReports(compared: readonly ComparedSchema[], { limits }: CompareOptions): Report {
  const reports = compared.map(({ report }) => report);
  const sum = (count: (report: Report) => number): number =>
    reports.reduce((total, report) => total + count(report), 0);
  return {
    ...new FindingList(limits).toReport("diff"),
    checked: sum(({ checked }) => checked),
    thing: "comparison",
    findings: reports.flatMap(({ findings }) => findings),
    found: {
      error: sum(({ found }) => found.error),
      warning: sum(({ found }) => found.warning),
    },
    notListed: {
      error: sum(({ notListed }) => notListed.error),
      warning: sum(({ notListed }) => notListed.warning),
    },
  };
}

async function replay(
  files: readonly string[] | undefined,
  { versions }: ComparedSchema,
  context: CommandContext,
): Promise<CorpusReplay | undefined> {
  if (files === undefined) return undefined;
  const inputs = await expandInputs(files, context);
  await requireFiles(inputs, context);
  const swept = inputs.filter((input) => !files.includes(input));
  if (swept.length > 0) context.stderr.write(describeSwept(swept));
  return await replayCorpus({ old: versions.old.root, new: versions.new.root }, inputs, context);
}
