import { findInputs } from "../../base/files/inputs.js";
import { FindingList } from "../../base/findings/finding-list.js";
import type { Report } from "../../base/findings/report.js";
import { toSafeJson } from "../../base/json/print.js";
import { hasColour } from "../../base/paint.js";
import { EXIT, type ExitCode, UserError } from "../../base/user-error.js";
import { LENSES } from "../../contract/compat/change.js";
import { type CorpusReplay, replayCorpus } from "../../contract/compat/replay-corpus.js";
import { DIRECTIONS, type FormatMode } from "../../contract/compat/schema/schema-set.js";
import { describeEntry } from "../../contract/compat/versions/changelog.js";
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
import { findPairs, isRange } from "../../contract/compat/versions/range.js";
import { toDiffReport, toRangeReport } from "../../contract/compat/versions/report.js";
import type { CommandContext, CommandInput, OptionValues } from "../command.js";
import { readFindingLimits } from "../options.js";
import { printReport } from "../output.js";
import { describeDiff, describeMovers, describeRange } from "./describe.js";
import { describeChangeRule } from "./describe-rule.js";
import { printHtml } from "./html.js";
import { printMarkdown } from "./markdown.js";

/**
 * Compares two versions, or the versions of all schemas that changed in a range of commits. Prints the result, and
 * returns an exit code that tells whether something broke in a direction and mode that the user selected.
 */
export async function runDiff(input: CommandInput, context: CommandContext): Promise<ExitCode> {
  const { operands, options } = input;
  const { cwd, stderr } = context;
  const [first = ""] = operands;
  const range = isRange(first, cwd) ? first : undefined;
  const corpusFiles = options.optionalTexts("corpus");
  if (range !== undefined && corpusFiles !== undefined) {
    throw new UserError("--corpus needs two versions of one schema, not a range", EXIT.usage);
  }
  const pairs = findPairs(operands, { cwd, schemaRoot: options.optionalText("schemaRoot") });
  const settings = readSettings(options);
  const compared = pairs.map((pair) => compareSchemas(pair, settings));
  const pair = range === undefined ? compared[0] : undefined;
  const corpus = pair && (await replay(corpusFiles, pair, context));
  await print({ range, pair, compared, corpus }, settings, input, context);
  if (corpus !== undefined) stderr.write(describeCorpus(corpus));
  if (pair !== undefined) stderr.write(describeMovers(pair.comparison, pair.versions));
  const comparisons = compared.map(({ comparison }) => comparison);
  const exitCode = toExitCode(comparisons, settings.choice);
  const gap = corpus && describeCorpusGap(corpus);
  if (gap === undefined) return exitCode;
  stderr.write(`${gap}\n`);
  // A break stays the verdict. But without a break, the corpus proves nothing.
  return exitCode === EXIT.findings ? exitCode : EXIT.unreadable;
}

interface Compared {
  /** Undefined if two versions were named. */
  readonly range: string | undefined;
  /** These two versions. */
  readonly pair: ComparedSchema | undefined;
  readonly compared: readonly ComparedSchema[];
  readonly corpus: CorpusReplay | undefined;
}

async function print(
  { range = "", pair, compared, corpus }: Compared,
  settings: CompareOptions,
  { options, line }: CommandInput,
  context: CommandContext,
): Promise<void> {
  const { stdout, stderr, env } = context;
  const { choice } = settings;
  const report = mergeReports(compared, settings);
  const colour = hasColour(stdout, env);
  const format = options.text("format");
  if (format === "json") {
    const printed = pair ? toDiffReport(pair, corpus) : toRangeReport(range, compared, report);
    stdout.write(toSafeJson(printed));
  } else if (format === "text") {
    stdout.write(
      pair ? describeDiff(pair, choice, colour) : describeRange(compared, choice, colour),
    );
  } else if (format === "markdown") stdout.write(printMarkdown(compared, choice));
  else if (format === "html") stdout.write(await printHtml(compared, line));
  else if (format === "changelog") {
    const entries = compared.map(describeEntry).join("");
    stdout.write(entries);
    if (entries === "") stderr.write("nothing changed\n");
  } else printReport(report, format, context, describeChangeRule);
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
  const inputs = await findInputs(files, context);
  const swept = inputs.filter((input) => !files.includes(input));
  if (swept.length > 0) context.stderr.write(describeSwept(swept));
  return await replayCorpus({ old: versions.old.root, new: versions.new.root }, inputs, context);
}
