import {
  isRolloutBranchRecord,
  type RolloutBranch,
  type RolloutBranchRecord,
} from "#generated/index.js";
import type { InputSource } from "../../base/files/source.js";
import type { RecordFault } from "../../base/findings/finding.js";
import type { RecordLine } from "../../base/jsonl/reader.js";
import { escapeControls, formatCount, previewValue } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import { checkRolloutLines } from "../../rollouts/look/check-rollout.js";
import type { ExportChoices, ExportInputs } from "../../rollouts/pipeline/export/request.js";
import { createExportBuilder } from "../../rollouts/pipeline/export-builder.js";
import { readRollouts } from "../../rollouts/pipeline/read-rollouts.js";
import type { TaskCounter } from "../../rollouts/wire/decontamination/boilerplate.js";
import type { ExportOptions } from "../../rollouts/wire/export/targets/target.js";
import { rankScored } from "../../rollouts/wire/scoring/rank.js";
import type { ScoreWeights } from "../../rollouts/wire/scoring/score.js";

/** The branches of one rollout, and what is wrong with it. */
export interface FoundRollout {
  readonly branches: readonly RolloutBranchRecord[];
  /** The place of each of them. */
  readonly places: readonly SourcePlace[];
  /** Lines that are left out as invalid. */
  readonly lost: number;
  /** The faults, each on one line. */
  readonly faults: readonly string[];
  /** Whether an export leaves out the whole rollout, whatever its branches say. */
  readonly leftOut: boolean;
}

/** What of a request determines the outcome of a rollout. */
export interface ExplainedRequest
  extends Pick<ExportInputs, "files" | "ranks" | "logs" | "severities" | "skipErrored">,
    Pick<ExportChoices, "target" | "options" | "redaction" | "gate"> {}

interface Search {
  readonly options: ExportOptions;
  /** Counts the tasks of all rollouts; undefined if nobody asks for them. */
  readonly counter: TaskCounter | undefined;
  readonly source: InputSource;
}

/** Finds a rollout as an export reads it. Throws UserError (exit 2) if no input has a branch of it. */
export async function findRollout(
  id: string,
  { files, ranks = false, target, severities, skipErrored }: ExplainedRequest,
  { options, counter, source }: Search,
): Promise<FoundRollout> {
  const type = ranks ? "RolloutBranch" : "RolloutBranchRecord";
  const check = { severities, skipErrored, type } as const;
  const builder = createExportBuilder({ target, options, ranks });
  const found: RecordLine[] = [];
  const wanted = counter === undefined ? id : undefined;
  for await (const rollout of readRollouts(files, source, { id: wanted })) {
    if (rollout.id === id) found.push(...rollout.lines);
    if (counter === undefined) continue;
    // What an export counts: a rollout that it leaves out has no task.
    const { branches, isInvalid } = checkRolloutLines(rollout.lines, check);
    const values = branches.map(({ value }) => value);
    const [first] = values;
    if (first === undefined || isInvalid || builder.checkRollout(values).some(isError)) continue;
    counter.add(first.task);
  }
  if (found.length === 0) {
    const searched = formatCount(files.length, "file");
    throw new UserError(
      `--explain ${previewValue(id)}: no branch with this rollout_id in ${searched}`,
      EXIT.usage,
    );
  }
  const { lines, branches, isInvalid } = checkRolloutLines(found, check);
  const values = branches.map(({ value }) => value);
  const refused = values.length === 0 ? [] : builder.checkRollout(values).filter(isError);
  const describe = (place: SourcePlace | undefined, fault: RecordFault): string =>
    `${place ? `${escapeControls(place.file)}:${place.line}` : ""}  ${describeFault(fault)}`;
  return {
    branches:
      ranks && refused.length === 0
        ? rankInPlace(values, options.weights)
        : values.filter(isRolloutBranchRecord),
    places: branches,
    lost: lines.length - branches.length,
    faults: [
      ...lines.flatMap(({ line, faults }) =>
        faults.filter(isError).map((fault) => describe(line, fault)),
      ),
      ...refused.map((fault) => describe(branches[fault.branch], fault)),
    ],
    leftOut: isInvalid || refused.length > 0,
  };
}

/** The branches, ranked, in their order. */
function rankInPlace(
  branches: readonly RolloutBranch[],
  weights: ScoreWeights,
): RolloutBranchRecord[] {
  const ranked = branches.length > 0 ? rankScored(branches, { weights }) : [];
  const byIndex = new Map(ranked.map((branch) => [branch.branch_index, branch]));
  return branches.flatMap(({ branch_index: index }) => byIndex.get(index) ?? []);
}

type SourcePlace = Pick<RecordLine, "file" | "line">;

function isError({ severity }: RecordFault): boolean {
  return severity === "error";
}

function describeFault({ id, pointer, message }: RecordFault): string {
  return `${escapeControls(pointer)}  ${message}  (${id})`;
}
