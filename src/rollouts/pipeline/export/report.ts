import {
  type ContaminatedRollout,
  type Decontamination,
  EXPORT_REPORT_REPORT_VERSION,
  type ExportReport,
  type ExportSettings,
  type ReportedImport,
  type ReportedInput,
  type ReportedOutput,
  type ReportedPair,
  type ReportedRange,
  type ReportedSampling,
  type ReportedSchema,
  type ReportedShard,
} from "#generated/index.js";
import { packageVersion } from "../../../base/package.js";
import { hashPlan, type RedactionPlan } from "../../capture/redact/line-redactor.js";
import { type TargetId, targets } from "../../wire/export/targets/index.js";
import type { ExportOptions, OutputKind } from "../../wire/export/targets/target.js";
import {
  profiles,
  type RuleSeverities,
  type RuleSeverity,
} from "../../wire/validation/profiles.js";
import type { ContaminatedRollout as FoundRollout } from "../contamination.js";
import type { ImportedLogs } from "../import/run.js";
import type { ChosenShard } from "../partition/manifest.js";
import type { Range } from "../positions.js";
import type { RolloutCounts } from "../rollout-counts.js";
import type { ExportOutcome } from "./request.js";
import { type Storage, shardName, toStorage } from "./storage.js";

/** Builds the report of an export, of type `export-report#/$defs/ExportReport`. */
export function toReport(outcome: ExportOutcome, schemas: ReportedSchema[]): ExportReport {
  const { findings, receiver, written, settings, shard, imported } = outcome;
  const { counts, rejected, errored } = receiver;
  const valid = receiver.lines - rejected;
  return {
    report_version: EXPORT_REPORT_REPORT_VERSION,
    tool_version: packageVersion(),
    target: outcome.target,
    written,
    settings,
    inputs: outcome.inputs.map(toReportedInput),
    ...(shard && { shard: toReportedShard(shard) }),
    outputs: written ? toReportedOutputs(outcome) : [],
    lines: { read: findings.records, valid, invalid: findings.records - valid },
    ...(outcome.ranked && { ranked: true }),
    ...(imported && { imported: toImported(imported) }),
    rollouts: {
      exported: counts.rollouts,
      exported_branches: counts.branches,
      invalid: counts.faulty.rollouts,
      invalid_branches: counts.faulty.branches,
      contaminated: counts.contaminated.rollouts,
      contaminated_branches: counts.contaminated.branches,
      ...(settings.skip_errored && { errored_branches: errored }),
    },
    ...(counts.rollouts > 0 && { sampling: toSampling(counts) }),
    not_paired: omitted(outcome, "dpo"),
    not_demonstrated: omitted(outcome, "sft"),
    omitted: outcome.outputs.flatMap(({ kind }, index) =>
      [...counts.omitted(index)].map(([reason, { count, rollouts }]) => {
        return { kind, reason, count, rollouts: [...rollouts] };
      }),
    ),
    pairs: counts.pairs.map(toReportedPair),
    ...(settings.pairs === "act" && { same_acts: counts.sameActs }),
    passed_over: counts.passedOver,
    unrewarded: counts.unrewarded,
    missing_tools: counts.missingTools,
    unreadable_tool_events: counts.unreadableToolEvents,
    ...(settings.redaction && { redacted: Object.fromEntries(counts.secrets.counts) }),
    findings: { errors: findings.errors, warnings: findings.warnings },
    decontamination: toDecontamination(outcome),
    schemas,
  };
}

function toImported({ recognised, counts }: ImportedLogs): ReportedImport {
  return {
    forms: Object.fromEntries([...recognised].map(([{ id }, files]) => [id, files])),
    left_out: Object.fromEntries(counts.leftOut),
    changed: counts.tally.describeChanges(),
    not_read: counts.tally.describeUnread(),
  };
}

/** What was chosen for an export. */
interface Choices {
  readonly target: TargetId;
  readonly options: ExportOptions;
  readonly storage: Storage;
  readonly severities: RuleSeverities;
  readonly redaction: RedactionPlan | undefined;
  readonly skipInvalid?: boolean | undefined;
  readonly skipErrored?: boolean | undefined;
  /** Whether contaminated rollouts are left out. */
  readonly drop?: boolean | undefined;
}

/** The choices as the report names them. */
export function toSettings({
  target,
  options,
  storage,
  severities,
  redaction,
  skipInvalid = false,
  skipErrored = false,
  drop = false,
}: Choices): ExportSettings {
  return {
    exported_at_ms: options.exportedAtMs,
    seed: options.seed,
    objective_weight: options.weights.objective,
    judge_weight: options.weights.judge,
    skip_invalid: skipInvalid,
    ...(skipErrored && { skip_errored: true }),
    drop_contaminated: drop,
    ...(targets[target].toPreference && { pairs: options.pairs }),
    pairing: options.pairing,
    min_gap: options.minGap,
    ...(options.maxPairs < Number.MAX_SAFE_INTEGER && {
      max_pairs_per_rollout: options.maxPairs,
    }),
    rank_again: options.rankAgain,
    missing_tools: options.missingTools,
    ...toStorageSettings(storage),
    rules: toRules(severities),
    ...(redaction && { redaction: hashPlan(redaction) }),
  };
}

/** What differs from the profile `strict`. */
function toRules(severities: RuleSeverities): Record<string, RuleSeverity> {
  const strict = new Map<string, RuleSeverity>(Object.entries(profiles.strict));
  const other = Object.entries(severities).filter(([id, severity]) => strict.get(id) !== severity);
  return Object.fromEntries(other);
}

function toStorageSettings({
  format,
  compression,
  shardBytes,
}: Storage): Pick<ExportSettings, "format" | "compression" | "shard_bytes"> {
  return {
    format,
    ...(compression !== undefined && { compression }),
    ...(shardBytes !== undefined && { shard_bytes: shardBytes }),
  };
}

function toReportedPair({
  rollout,
  chosen,
  rejected,
  scores,
  divergenceTurn,
  commonPrompt,
}: RolloutCounts["pairs"][number]): ReportedPair {
  return {
    rollout_id: rollout,
    chosen_branch: chosen,
    rejected_branch: rejected,
    total_score: { chosen: scores[0], rejected: scores[1] },
    ...(divergenceTurn !== undefined && { divergence_turn: divergenceTurn }),
    ...(commonPrompt !== undefined && { common_prompt: commonPrompt }),
  };
}

function toReportedInput({ file, bytes, hash }: ExportOutcome["inputs"][number]): ReportedInput {
  if (hash === undefined) throw new TypeError(`the hash of ${file} was not asked for`);
  return { file, bytes, sha256: hash };
}

function toReportedShard({ number, count, partition }: ChosenShard): ReportedShard {
  return { number, count, partition };
}

function toSampling({ temperatures, branchesPerRollout }: RolloutCounts): ReportedSampling {
  const toRange = ([least, most]: Range): ReportedRange => ({ least, most });
  return { temperature: toRange(temperatures), branches: toRange(branchesPerRollout) };
}

function toReportedOutputs({ settings, inFolder, outputs }: ExportOutcome): ReportedOutput[] {
  const storage = toStorage(settings);
  return outputs
    .filter(({ output }) => !inFolder || output.records > 0)
    .flatMap(({ kind, path, output }) =>
      output.parts.map(({ records, bytes, sha256 }, index) => ({
        kind,
        file: inFolder ? shardName(kind, storage, index, output.parts.length) : path,
        ...{ records, bytes, sha256 },
      })),
    );
}

/** Number of exported rollouts without a record of a kind, by reason. */
function omitted({ outputs, receiver }: ExportOutcome, kind: OutputKind): Record<string, number> {
  const reasons = receiver.counts.omitted(outputs.findIndex((output) => output.kind === kind));
  return Object.fromEntries([...reasons].map(([reason, { count }]) => [reason, count]));
}

function toDecontamination({ evaluation, receiver, imported }: ExportOutcome): Decontamination {
  const { contamination } = receiver;
  if (evaluation === undefined || contamination === undefined) {
    return { performed: false };
  }
  const { boilerplate } = contamination;
  const { index, file } = evaluation;
  return {
    performed: true,
    n: index.n,
    evaluation_set: file,
    texts: contamination.texts,
    evaluation_items: index.itemCount,
    items_without_words: index.emptyItems.length,
    boilerplate_share: index.boilerplateShare,
    min_overlap: index.minOverlap,
    ...(index.boilerplateShare < 1 && { distinct_tasks: boilerplate.tasks }),
    boilerplate_ngrams: boilerplate.ngrams,
    boilerplate_examples: boilerplate.examples.map(({ ngram, tasks }) => ({ ngram, tasks })),
    only_boilerplate: contamination.onlyBoilerplate,
    below_min_overlap: contamination.belowMinimum,
    contaminated: contamination.explained.map((found) =>
      toContaminatedRollout({ ...found, ...locateLine(found, imported) }),
    ),
  };
}

/** The line of a branch, or that of the record from which it was imported. */
function locateLine(
  { file, line }: FoundRollout,
  imported: ExportOutcome["imported"],
): Pick<FoundRollout, "file" | "line"> {
  const place = imported?.locate({ file, line, column: 1, pointer: "" });
  return place ? { file: place.file, line: place.line } : { file, line };
}

function toContaminatedRollout(found: FoundRollout): ContaminatedRollout {
  const { rollout, file, line, items, overlaps } = found;
  return {
    rollout_id: rollout,
    file,
    line,
    items,
    overlaps: overlaps.map(({ pointer, place, evalItem, ngram, overlapRatio, longestSpan }) => ({
      ...{ pointer, place },
      id: evalItem.id,
      file: evalItem.file,
      line: evalItem.line,
      ngram,
      overlap_ratio: overlapRatio,
      longest_span: longestSpan,
    })),
  };
}
