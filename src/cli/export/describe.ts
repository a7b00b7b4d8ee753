import { dirname } from "node:path";
import { describeFindings } from "../../base/findings/finding.js";
import { escapeControls, formatCount, formatNumber, formatShare } from "../../base/text.js";
import type { ExportOutcome } from "../../rollouts/pipeline/export/request.js";
import type { Omissions } from "../../rollouts/pipeline/rollout-counts.js";
import type { MissingTools } from "../../rollouts/wire/export/targets/target.js";
import { describeBranches, describeLogs } from "../import/describe.js";
import { describeNothing } from "../output.js";
import { describeSecrets } from "../redaction.js";
import { listInvalidRollouts, type SummaryRow } from "../summary.js";

/** Name of a file's records, and the label for rollouts that have none. */
const WORDS = {
  dpo: { record: "pair", without: "not paired" },
  ppo: { record: "record", without: "no record" },
  sft: { record: "demonstration", without: "no demonstration" },
} as const;

/**
 * Summarises an export, row by row: what was checked, the evaluation set, the output files, and what was
 * omitted and why. `skipped` is printed if there was no evaluation set.
 */
export function describeExport(outcome: ExportOutcome, skipped: string): SummaryRow[] {
  const { findings, receiver, written, imported } = outcome;
  const nothing: SummaryRow = ["export", describeFailure(outcome)];
  const before = describeBefore(outcome);
  // Logs with errors have no branches that could be checked.
  if (imported !== undefined && imported.findings.errors > 0) return [...before, nothing];
  const validated: SummaryRow = ["validate", describeInput(outcome)];
  if (!receiver.wantsRollouts || (findings.records === 0 && !written)) {
    return [...before, validated, ...describeUnranked(outcome), nothing];
  }
  const compared: readonly SummaryRow[] = [
    ["decontamination", describeComparison(outcome) ?? skipped],
    ...describeBoilerplate(outcome),
    ...describeBelowMinimum(outcome),
  ];
  if (!written) return [...before, validated, ...compared, nothing];
  const done = [describeRedaction, describeFiles, describeSkipped];
  return [...before, validated, ...compared, ...done.flatMap((describe) => describe(outcome))];
}

/** What became of the inputs before they were ranked branches. */
function describeBefore({ imported, ranked, receiver }: ExportOutcome): SummaryRow[] {
  const { counts } = receiver;
  const rollouts = counts.rollouts + counts.faulty.rollouts + counts.contaminated.rollouts;
  const branches = formatCount(receiver.lines - receiver.rejected, "branch", "branches");
  const rankedRow: SummaryRow = ["rank", `${branches}, ${formatCount(rollouts, "rollout")}`];
  if (imported === undefined) return ranked ? [rankedRow] : [];
  const read = describeLogs(imported, imported.findings);
  if (imported.findings.errors > 0) return read;
  return [...read, ["import", describeBranches(imported)], rankedRow];
}

function describeFailure({ findings, receiver, settings }: ExportOutcome): string {
  const { contamination } = receiver;
  const isClean = contamination === undefined || contamination.rollouts === 0;
  if (isClean || settings.drop_contaminated) return describeNothing(findings, "branch", "branches");
  const fixes = receiver.validation().errors > 0 ? ["fix the errors first"] : [];
  const skip = "skip contaminated rollouts (--skip contaminated)";
  return `nothing written: ${[...fixes, skip].join(", and ")}`;
}

function describeInput({ findings, receiver }: ExportOutcome): string {
  const { counts, rejected, errored } = receiver;
  const rollouts = counts.rollouts + counts.faulty.rollouts + counts.contaminated.rollouts;
  return [
    formatCount(receiver.lines - rejected, "branch", "branches"),
    ...(receiver.wantsRollouts ? [formatCount(rollouts, "rollout")] : []),
    ...(errored > 0 ? [formatCount(errored, "errored branch", "errored branches")] : []),
    ...(rejected > 0 ? [formatCount(rejected, "invalid record")] : []),
    ...listInvalidRollouts(counts.faulty.rollouts, counts.faulty.branches),
    describeFindings(findings.lostAll ? findings : receiver.validation()),
  ].join(", ");
}

function describeUnranked({ receiver: { unranked } }: ExportOutcome): SummaryRow[] {
  if (unranked === 0) return [];
  const records = formatCount(
    unranked,
    "record is an unranked branch",
    "records are unranked branches",
  );
  return [["", `${records} (RolloutBranch): rank them first`]];
}

function describeComparison({ evaluation, receiver, written }: ExportOutcome): string | undefined {
  const { contamination, counts } = receiver;
  if (evaluation === undefined || contamination === undefined) return undefined;
  const { n, itemCount, emptyItems } = evaluation.index;
  const wordless =
    emptyItems.length > 0 ? ` (${emptyItems.length} without a word match nothing)` : "";
  const found = contamination.rollouts;
  const verdict =
    found === 0
      ? "clean"
      : `${formatCount(found, "rollout")} contaminated${describePlaces(contamination.places)}`;
  const dropped = found > 0 && written ? ", skipped" : "";
  const rollouts = counts.rollouts + found;
  const { texts } = contamination;
  if (texts === 0) return "nothing was compared";
  const compared =
    texts === rollouts
      ? formatCount(texts, "task")
      : `${formatCount(texts, "text")} of ${formatCount(rollouts, "rollout")}`;
  const items = formatCount(itemCount, "evaluation item");
  return `${compared} against ${items}${wordless}, n = ${n}: ${verdict}${dropped}`;
}

/** Number of places of contaminated texts that the summary names. */
const MAX_PLACES = 4;

/** Where contaminated texts stand, unless they all are tasks. */
function describePlaces(places: ReadonlySet<string>): string {
  if ([...places].every((place) => place === "task")) return "";
  const named = [...places].slice(0, MAX_PLACES).map(escapeControls);
  return ` (${[...named, ...(places.size > MAX_PLACES ? ["..."] : [])].join(", ")})`;
}

/** Number of n-grams of template text that the summary quotes. The report lists more. */
const MAX_QUOTED = 2;

function describeBoilerplate({ settings, receiver, evaluation }: ExportOutcome): SummaryRow[] {
  const { contamination } = receiver;
  if (contamination === undefined || contamination.boilerplate.ngrams === 0) return [];
  const { tasks, ngrams, examples } = contamination.boilerplate;
  const share = formatShare(evaluation?.index.boilerplateShare ?? 0);
  const found = `${formatCount(ngrams, "n-gram")} in more than ${share} of ${formatCount(tasks, "distinct task")}`;
  const only = contamination.onlyBoilerplate;
  const sharing = `${formatCount(only, "rollout shares", "rollouts share")} nothing else with it`;
  // What secrets look like in normalised text is not known, so nothing is quoted.
  const quoted = settings.redaction === undefined ? examples.slice(0, MAX_QUOTED) : [];
  return [
    ["template text", `${found}, not contamination: ${sharing}`],
    ...quoted.map(
      (example): SummaryRow => [
        "",
        `"${escapeControls(example.ngram)}" (${formatCount(example.tasks, "task")})`,
      ],
    ),
  ];
}

function describeBelowMinimum({ receiver, evaluation }: ExportOutcome): SummaryRow[] {
  const below = receiver.contamination?.belowMinimum ?? 0;
  if (below === 0) return [];
  const rollouts = formatCount(below, "rollout overlaps", "rollouts overlap");
  return [
    [
      "below minimum",
      `${rollouts} by less than ${evaluation?.index.minOverlap}, not contamination`,
    ],
  ];
}

function describeRedaction({ settings, receiver: { counts } }: ExportOutcome): SummaryRow[] {
  return settings.redaction ? [["redact", describeSecrets(counts.secrets.counts)]] : [];
}

function describeFiles(outcome: ExportOutcome): SummaryRow[] {
  const { inFolder, outputs } = outcome;
  const paths = outputs.map(({ kind, path, output }) => {
    const { length } = output.parts;
    if (inFolder && output.records === 0) return `(no ${kind} file)`;
    return escapeControls(
      length === 1 ? path : `${dirname(path)} (${formatCount(length, "file")})`,
    );
  });
  const counts = outputs.map(({ output }) => formatNumber(output.records));
  const pathWidth = Math.max(...paths.map(({ length }) => length));
  const countWidth = Math.max(...counts.map(({ length }) => length));
  return outputs.map(({ kind, output }, index) => {
    const { record } = WORDS[kind];
    const path = paths[index]?.padEnd(pathWidth);
    const count = counts[index]?.padStart(countWidth);
    const how = kind === "dpo" ? describePrompts(output.records, outcome) : "";
    return [
      index === 0 ? "export" : "",
      `${path}  ${count} ${output.records === 1 ? record : `${record}s`}${how}`,
    ];
  });
}

/** How the two branches of each pair agree up to where they part. */
function describePrompts(pairs: number, { settings, receiver: { counts } }: ExportOutcome): string {
  if (settings.pairs !== "act" || pairs === 0) return "";
  const kinds = [
    [pairs - counts.sameActs, "after identical turns"],
    [counts.sameActs, "after the same calls in other words"],
  ] as const;
  const found = kinds.filter(([count]) => count > 0);
  return `: ${found.map(([count, what]) => `${formatNumber(count)} ${what}`).join(", ")}`;
}

function describeMissingTools(count: number, what: MissingTools | undefined): SummaryRow[] {
  if (count === 0 || what === "allow") return [];
  const branches = formatCount(
    count,
    "branch that calls tools declares",
    "branches that call tools declare",
  );
  return [["missing tools", `${branches} none (context.tools)`]];
}

function describeSkipped({ outputs, settings, receiver: { counts } }: ExportOutcome): SummaryRow[] {
  const rows = outputs.flatMap(({ kind }, index): SummaryRow[] => {
    const reasons = counts.omitted(index);
    // Most targets write a record of every branch.
    if (kind === "ppo" && reasons.size === 0) return [];
    return [[WORDS[kind].without, describeReasons(reasons)]];
  });
  if (counts.passedOver > 0) {
    const branches = formatCount(counts.passedOver, "branch", "branches");
    rows.push(["passed over", `${branches}, for others of the same total score`]);
  }
  if (counts.unrewarded > 0) {
    const branches = formatCount(counts.unrewarded, "branch", "branches");
    rows.push(["unrewarded", `${branches} without a record: no verdict, or unfit for the target`]);
  }
  rows.push(...describeMissingTools(counts.missingTools, settings.missing_tools));
  if (counts.unreadableToolEvents === 0) return rows;
  const events = formatCount(counts.unreadableToolEvents, "tool event");
  return [...rows, ["skipped", `${events}: neither a call nor a result`]];
}

function describeReasons(reasons: Omissions): string {
  const counts = [...reasons].map(([reason, { count }]) => `${formatNumber(count)} ${reason}`);
  return counts.join(", ") || "none";
}
