import type { FormatUse } from "#generated/index.js";
import { withFetching } from "../../base/files/git.js";
import { findInputs } from "../../base/files/inputs.js";
import { createFinding } from "../../base/findings/finding.js";
import { FindingList } from "../../base/findings/finding-list.js";
import type { Report } from "../../base/findings/report.js";
import { toSafeJson } from "../../base/json/print.js";
import { hasColour } from "../../base/paint.js";
import { escapeControls, formatCount } from "../../base/text.js";
import { EXIT, type ExitCode, UserError } from "../../base/user-error.js";
import { LENSES } from "../../contract/compat/change.js";
import { type CorpusReplay, replayCorpus } from "../../contract/compat/replay-corpus.js";
import { DIRECTIONS } from "../../contract/compat/schema/schema-set.js";
import { describeEntry } from "../../contract/compat/versions/changelog.js";
import { type Choice, toExitCode } from "../../contract/compat/versions/choice.js";
import {
  type ComparedRange,
  type ComparedSchema,
  type CompareOptions,
  compareRange,
  compareSchemas,
  mergeConditions,
  type UncomparedSchema,
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
import { describeDiff, describeMovers, describeRange, printConditions } from "./describe.js";
import { describeChangeRule, NOT_COMPARED } from "./describe-rule.js";
import { printHtml } from "./html.js";
import { printMarkdown } from "./markdown.js";

/**
 * Compares two versions, or the versions of all schemas that changed in a range of commits. Prints the result, and
 * returns an exit code that tells whether something broke in a direction and mode that the user selected.
 */
export async function runDiff(input: CommandInput, context: CommandContext): Promise<ExitCode> {
  return await withFetching(input.options.flag("fetch"), () => runPermitted(input, context));
}

async function runPermitted(input: CommandInput, context: CommandContext): Promise<ExitCode> {
  const { operands, options } = input;
  const { cwd, stderr } = context;
  const [first = ""] = operands;
  const range = isRange(first, cwd) ? first : undefined;
  const corpusFiles = options.optionalTexts("corpus");
  if (range !== undefined && corpusFiles !== undefined) {
    throw new UserError("--corpus needs two versions of one schema, not a range", EXIT.usage);
  }
  const { pairs, looked } = findPairs(operands, {
    cwd,
    schemas: options.optionalTexts("schemas") ?? [],
  });
  const settings = readSettings(options);
  const result =
    range === undefined
      ? toResult(pairs.map((each) => compareSchemas(each, settings)))
      : compareRange(pairs, settings);
  const pair = range === undefined ? result.compared[0] : undefined;
  const corpus = pair && (await replay(corpusFiles, pair, context));
  await print({ range, pair, result, looked, corpus }, settings, input, context);
  if (corpus !== undefined) stderr.write(describeCorpus(corpus));
  if (pair !== undefined) stderr.write(describeMovers(pair.comparison, pair.versions));
  const comparisons = result.compared.map(({ comparison }) => comparison);
  const exitCode = toExitCode(comparisons, settings.choice);
  const gap = corpus && describeCorpusGap(corpus);
  if (gap !== undefined) stderr.write(`${gap}\n`);
  // A break stays the verdict. But without a break, what was not looked at proves nothing.
  const isWhole = gap === undefined && result.uncompared.length === 0;
  return isWhole || exitCode === EXIT.findings ? exitCode : EXIT.unreadable;
}

function toResult(compared: readonly ComparedSchema[]): ComparedRange {
  const conditions = mergeConditions(compared.map((each) => each.conditions));
  return { compared, uncompared: [], conditions };
}

interface Compared {
  /** Undefined if two versions were named. */
  readonly range: string | undefined;
  /** These two versions. */
  readonly pair: ComparedSchema | undefined;
  readonly result: ComparedRange;
  /** Number of schemas, changed or not. */
  readonly looked: number;
  readonly corpus: CorpusReplay | undefined;
}

async function print(
  { range = "", pair, result, looked, corpus }: Compared,
  settings: CompareOptions,
  { options, line }: CommandInput,
  context: CommandContext,
): Promise<void> {
  const { stdout, stderr, env } = context;
  const { choice } = settings;
  const { compared, uncompared, conditions } = result;
  const colour = hasColour(stdout, env);
  const format = options.text("format");
  if (!["json", "text", "markdown"].includes(format)) stderr.write(printConditions(conditions));
  if (format === "json") {
    const report = mergeReports(compared, [], settings);
    const printed = pair
      ? toDiffReport(pair, choice, corpus)
      : toRangeReport(range, result, report, choice);
    stdout.write(toSafeJson(printed));
  } else if (format === "text") {
    stdout.write(
      pair ? describeDiff(pair, choice, colour) : describeRange(result, looked, choice, colour),
    );
  } else if (format === "markdown") stdout.write(printMarkdown(result, looked, choice));
  else if (format === "html") stdout.write(await printHtml(result, line));
  else if (format === "changelog") {
    const entries = compared.map(describeEntry).join("");
    stdout.write(entries);
    for (const { name, message } of uncompared) {
      stderr.write(escapeControls(`${name}: not compared: ${message}`).concat("\n"));
    }
    if (entries === "") stderr.write(describeNoEntry(compared));
  } else {
    const report = mergeReports(compared, uncompared, settings);
    printReport(report, format, context, describeChangeRule);
  }
}

/** Why a changelog is empty. */
function describeNoEntry(compared: readonly ComparedSchema[]): string {
  const formatted = compared.filter(({ status }) => status === "changed").length;
  return formatted === 0
    ? "nothing changed\n"
    : `nothing changed but the formatting of ${formatCount(formatted, "schema")}\n`;
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

function readFormats(options: OptionValues): FormatUse | undefined {
  const mode = options.optionalText("formats");
  return mode === "assert" || mode === "annotate" ? mode : undefined;
}

/** The findings of all schemas as those of one run. Each schema has its own limit of findings. */
function mergeReports(
  compared: readonly ComparedSchema[],
  uncompared: readonly UncomparedSchema[],
  { limits }: CompareOptions,
): Report {
  const reports = compared.map(({ report }) => report);
  const sum = (count: (report: Report) => number): number =>
    reports.reduce((total, report) => total + count(report), 0);
  const faults = uncompared.map(({ name, message }) =>
    createFinding({ id: NOT_COMPARED, file: name, message: `not compared: ${message}` }),
  );
  return {
    ...new FindingList(limits).toReport("diff"),
    checked: sum(({ checked }) => checked),
    thing: "comparison",
    findings: [...faults, ...reports.flatMap(({ findings }) => findings)],
    found: {
      error: faults.length + sum(({ found }) => found.error),
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
