import { join } from "node:path";
import type { Message, RolloutBranchRecord } from "#generated/index.js";
import type { InputSource } from "../../base/files/source.js";
import { createTempFolder } from "../../base/files/temp.js";
import { createPaint } from "../../base/paint.js";
import { alignColumns, escapeControls, formatCount, previewValue } from "../../base/text.js";
import { UserError } from "../../base/user-error.js";
import {
  createMessageRedactor,
  RecordRedactor,
} from "../../rollouts/capture/redact/line-redactor.js";
import { columnWidth, PLAIN_WIDTH, sideBySide } from "../../rollouts/look/columns.js";
import { foldMessage } from "../../rollouts/look/fold-message.js";
import { findPlace } from "../../rollouts/look/parting.js";
import { describeShared } from "../../rollouts/pipeline/contamination.js";
import { openEvaluation } from "../../rollouts/pipeline/export/evaluation.js";
import type { ExportChoices } from "../../rollouts/pipeline/export/request.js";
import { importFiles } from "../../rollouts/pipeline/import/run.js";
import { BranchConversation } from "../../rollouts/wire/conversation/conversation.js";
import { GivenComparer, worstOf } from "../../rollouts/wire/decontamination/compare-given.js";
import { collectGiven, taskPart } from "../../rollouts/wire/decontamination/given-texts.js";
import {
  buildRollout,
  conversationOptions,
  type Hindrance,
} from "../../rollouts/wire/export/build-rollout.js";
import type { PairForm } from "../../rollouts/wire/export/comparison.js";
import { explainReason, type OmissionReason } from "../../rollouts/wire/export/reasons.js";
import { inRankOrder, pairsOf } from "../../rollouts/wire/export/selection.js";
import { targets } from "../../rollouts/wire/export/targets/index.js";
import {
  type ExportTarget,
  resolveExportOptions,
} from "../../rollouts/wire/export/targets/target.js";
import { profiles } from "../../rollouts/wire/validation/profiles.js";
import { type ExplainedRequest, type FoundRollout, findRollout } from "./find-rollout.js";

/**
 * Explains what an export makes of one rollout: its branches by rank, its pairs and its demonstration as the target
 * writes them, or why it gives none, and what it shares with the evaluation set. Writes no file.
 *
 * Throws UserError: exit 2 if no input has a branch of the rollout, exit 3 if an input cannot be read.
 */
export async function explainRollout(
  id: string,
  request: ExplainedRequest,
  source: InputSource,
): Promise<string> {
  const { logs, files, severities = profiles.strict } = request;
  if (logs === undefined) return await explainBranches(id, request, source);
  const folder = createTempFolder();
  try {
    const output = join(folder.path, "imported.jsonl");
    const imported = { ...logs, files, output, severities, limits: { maxErrors: 0 } };
    const { written, findings } = await importFiles(imported, source);
    if (!written) {
      const errors = formatCount(findings.errors, "error");
      throw new UserError(`--explain: ${errors} in the logs: import them to see which`);
    }
    const branches = { ...request, ranks: true, files: [output] };
    const text = await explainBranches(id, branches, source);
    return text.replaceAll(escapeControls(output), "imported");
  } finally {
    folder.remove();
  }
}

async function explainBranches(
  id: string,
  request: ExplainedRequest,
  source: InputSource,
): Promise<string> {
  const options = resolveExportOptions(request.options);
  const { gate } = request;
  const evaluation = gate && (await openEvaluation(gate, undefined, source));
  const counter = evaluation?.index.boilerplate ? undefined : evaluation?.index.createTaskCounter();
  const found = await findRollout(id, request, { options, counter, source });
  const redactor = request.redaction && new RecordRedactor(request.redaction);
  const redactText = request.redaction ? createMessageRedactor(request.redaction) : String;
  const branches = inRankOrder(
    redactor ? found.branches.map((branch) => redactor.redact(branch)) : found.branches,
  );
  const head = [
    `rollout ${previewValue(redactText(id))}: ${formatCount(branches.length, "valid branch", "valid branches")}, target ${request.target}`,
    "",
    ...describeBranches(branches),
  ];
  const faults =
    found.faults.length === 0
      ? []
      : ["", "Invalid:", ...indent(found.faults.map((fault) => redactText(fault)))];
  return [
    ...head,
    ...faults,
    ...(branches.length === 0 ? [] : describeOutcome(branches, found, request, options)),
    ...(evaluation === undefined || found.leftOut
      ? []
      : describeGate(
          id,
          found,
          new GivenComparer(
            evaluation.index,
            evaluation.index.boilerplate ?? counter?.findBoilerplate(),
          ),
        ).map(redactText)),
    "",
  ].join("\n");
}

function describeBranches(branches: readonly RolloutBranchRecord[]): string[] {
  const head = ["branch", "rank", "score", "turns", "objective", "final answer"];
  const rows = branches.map((branch) => [
    ...[branch.branch_index, branch.rank, branch.total_score].map(String),
    String(turnsOf(new BranchConversation(branch)).length),
    branch.objective_status ?? (branch.objective_score === 1 ? "pass" : "fail"),
    previewValue(branch.final_answer),
  ]);
  return indent(alignColumns([head, ...rows], { isNumber: (column) => column < 4 }));
}

/** The assistant turns after the task. */
function turnsOf({ messages, taskIndex }: BranchConversation): Message[] {
  return messages.slice(taskIndex + 1).filter(({ role }) => role === "assistant");
}

function describeOutcome(
  branches: readonly RolloutBranchRecord[],
  { lost, leftOut }: Pick<FoundRollout, "lost" | "leftOut">,
  { target: id }: Pick<ExportChoices, "target">,
  options: ReturnType<typeof resolveExportOptions>,
): string[] {
  if (leftOut) return ["", "No record: the rollout is invalid, and skipped as a whole"];
  const target = targets[id];
  const { records, pairs, omitted, tried } = buildRollout(branches, target, options, lost);
  const byIndex = new Map(branches.map((branch) => [branch.branch_index, branch]));
  const [first] = pairsOf(branches, options.pairing);
  const describeBoth = (chosen?: RolloutBranchRecord, rejected?: RolloutBranchRecord): string[] =>
    describeSides(chosen, rejected, target, options.pairs, omitted.dpo);
  const made = pairs.flatMap(({ chosen, rejected, scores, divergenceTurn }, index) => {
    const where =
      divergenceTurn === undefined ? "" : `; they part in assistant turn ${divergenceTurn}`;
    return [
      "",
      `Pair: branch ${chosen} over branch ${rejected}, scores ${scores[0]} and ${scores[1]}${where}`,
      ...describeBoth(byIndex.get(chosen), byIndex.get(rejected)),
      ...describeRecord(id, records.dpo[index]),
    ];
  });
  const demonstrations = records.sft.flatMap((record) => [
    "",
    "Demonstration: the best branch",
    ...describeRecord(id, record),
  ]);
  return [
    ...made,
    ...describeReason("pair", omitted.dpo),
    ...(omitted.dpo === undefined ? [] : describeBoth(first?.chosen, first?.rejected)),
    ...demonstrations,
    ...describeReason("demonstration", omitted.sft),
    ...describeTried(tried, Math.max(records.dpo.length, records.sft.length)),
  ];
}

/** Candidates of equal scores that are listed. */
const MAX_TRIED = 10;

/** Why candidates were passed over, or why none is left; nothing if there was only one. */
function describeTried(tried: readonly Hindrance[], made: number): string[] {
  if (tried.length + Math.min(made, 1) < 2) return [];
  const lines = tried
    .slice(0, MAX_TRIED)
    .map(({ branches, reason }) => `branch ${branches.join(" over branch ")}: ${reason}`);
  const more = tried.length - lines.length;
  return [
    "",
    "Tried before, of the same total scores:",
    ...indent([...lines, ...(more > 0 ? [`... and ${formatCount(more, "more")}`] : [])]),
  ];
}

/** Overlaps with the evaluation set that are listed. */
const MAX_OVERLAPS = 10;

/** What the models of a rollout were given that the evaluation set has too. */
function describeGate(
  id: string,
  { branches, places }: FoundRollout,
  comparer: GivenComparer,
): string[] {
  const [first] = branches;
  if (first === undefined) return [];
  const parts = [{ part: taskPart(first.task), branch: 0 }, ...collectGiven(branches)];
  const verdict = worstOf(parts.map(({ part }) => comparer.compare(part)));
  if (verdict !== "contaminated") {
    const count = parts.reduce((sum, { part }) => sum + part.texts.length, 0);
    return ["", `Compared with the evaluation set: ${formatCount(count, "text")}, ${verdict}`];
  }
  const dirty = parts.filter(({ part }) => comparer.compare(part) === "contaminated");
  const overlaps = comparer.findOverlaps(id, dirty);
  const more = overlaps.length - MAX_OVERLAPS;
  return [
    "",
    ...overlaps.slice(0, MAX_OVERLAPS).map(({ place, pointer, branch, ...overlap }) => {
      const { file = "", line = 0 } = places[branch] ?? {};
      const where = `${escapeControls(file)}:${line} ${escapeControls(pointer)}`;
      return `Contaminated: ${escapeControls(place)} (${where}) ${describeShared(overlap)}`;
    }),
    ...(more > 0 ? [`... and ${formatCount(more, "more overlap")}`] : []),
  ];
}

function describeReason(what: string, reason: OmissionReason | undefined): string[] {
  return reason === undefined ? [] : ["", `No ${what} (${reason}): ${explainReason(reason)}`];
}

/** The record as the trainer reads it. */
function describeRecord(target: string, record: object | undefined): string[] {
  const printed = JSON.stringify(record, undefined, 2) ?? "";
  return ["", `As ${target} gets it:`, ...indent(printed.split("\n").map(escapeControls))];
}

/** Maximum number of messages of a side that are shown. */
const MAX_SHOWN = 8;

/** Two conversations side by side, from where they part. */
function describeSides(
  chosen: RolloutBranchRecord | undefined,
  rejected: RolloutBranchRecord | undefined,
  target: ExportTarget,
  form: PairForm,
  reason: OmissionReason | undefined,
): string[] {
  if (chosen === undefined || rejected === undefined) return [];
  const [better, worse] = [chosen, rejected].map(
    (branch) => new BranchConversation(branch, conversationOptions(target)),
  );
  if (better === undefined || worse === undefined) return [];
  const sides = [better.messages, worse.messages];
  const { at, acts, shared, difference } = findPlace(better, worse, form, reason);
  const length = Math.max(better.messages.length, worse.messages.length);
  const column = columnWidth(2, PLAIN_WIDTH);
  const columns = [chosen, rejected].map(({ branch_index: index }, side) => [
    `branch ${index}`,
    ...(sides[side] ?? [])
      .slice(at, at + MAX_SHOWN)
      .map((message) => foldMessage(message, column, createPaint(false))),
  ]);
  const more = length - at - MAX_SHOWN;
  return [
    "",
    ...(difference === undefined ? [] : [`  The prompts differ first at ${difference}`]),
    ...(reason === undefined ? [`  They part: ${acts[0]} against ${acts[1]}`] : []),
    `  ${shared}, then:`,
    ...indent(sideBySide(columns, column)),
    ...(more > 0 ? [`  ... and ${formatCount(more, "more message")}`] : []),
  ];
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`.trimEnd());
}
