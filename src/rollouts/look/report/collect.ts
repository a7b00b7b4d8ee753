import type { InputSource } from "../../../base/files/source.js";
import { FindingList } from "../../../base/findings/finding-list.js";
import { resolvePointer } from "../../../base/json/pointer.js";
import type { PageFinding } from "../../../base/page/page.js";
import type { Progress } from "../../../base/run/progress.js";
import { readRollouts } from "../../pipeline/read-rollouts.js";
import { GivenComparer } from "../../wire/decontamination/compare-given.js";
import type { EvalItem } from "../../wire/decontamination/corpus.js";
import { createEvalIndex, type EvalIndex } from "../../wire/decontamination/eval-index.js";
import { collectGiven, taskPart } from "../../wire/decontamination/given-texts.js";
import type { TargetId } from "../../wire/export/targets/index.js";
import { checkLine } from "../../wire/validation/check-record.js";
import { type CheckedLine, checkRolloutLines, type PlacedBranch } from "../check-rollout.js";
import { RolloutStats } from "../rollout-stats.js";
import { type RolloutView, viewRollout } from "../rollout-view.js";
import type { ExportedPairs } from "./pairs.js";
import type { InputSummary, PackedOverlap, RolloutRow } from "./report-data.js";
import type { LoggedRollout, RolloutLog } from "./rollout-log.js";
import { findSharedText } from "./shared-text.js";

/** Findings of one rollout that are listed; all are counted. */
const MAX_FINDINGS = 100;
/** Findings in lines of no rollout that are listed. */
const MAX_UNPLACED = 10_000;
/** Evaluation items that are listed for a rollout: those with the highest overlap ratios. */
const MAX_ITEMS = 10;

/** What a report reads. */
export interface CollectRequest {
  readonly files: readonly string[];
  readonly target: TargetId;
  /** Undefined: tasks are not compared. */
  readonly evalItems: readonly EvalItem[] | undefined;
  readonly pairs: ExportedPairs;
  readonly progress: Progress;
}

/** Everything about the rollouts but what is in the log. */
export interface CollectedRollouts {
  readonly inputs: readonly InputSummary[];
  readonly stats: RolloutStats;
  /** Undefined if tasks were not compared with an evaluation set. */
  readonly contaminated: number | undefined;
  readonly counts: FindingCounts;
  /** Findings in lines that belong to no valid rollout. */
  readonly unplaced: readonly PageFinding[];
}

interface FindingCounts {
  error: number;
  warning: number;
  readonly byId: Map<string, number>;
}

/**
 * Reads all rollouts of files into a log: checks each line and rollout as `validate` does, says what becomes of it for the
 * target, and compares all that its models were given with the evaluation items.
 *
 * Throws UserError: exit 3 if a file cannot be read or no evaluation item has a word.
 */
export async function collectRollouts(
  { files, target, evalItems, pairs, progress }: CollectRequest,
  log: RolloutLog,
  source: InputSource,
): Promise<CollectedRollouts> {
  const stats = new RolloutStats();
  const counts: FindingCounts = { error: 0, warning: 0, byId: new Map() };
  let inputs: readonly InputSummary[] = [];
  const gate = evalItems && new EvaluationGate(evalItems);
  const unplaced: PageFinding[] = [];
  const addUnplaced = (lines: readonly CheckedLine[]): void => {
    const findings = countFindings(lines, counts, MAX_UNPLACED - unplaced.length);
    unplaced.push(...findings);
  };
  const rollouts = readRollouts(files, source, {
    progress,
    onRead(read) {
      inputs = read.map(({ hash = "", ...input }) => ({ ...input, sha256: toDigits(hash) }));
    },
    onUnplaced: (line) => addUnplaced([{ line, faults: checkLine(line).faults, isBranch: false }]),
  });
  for await (const rollout of rollouts) {
    const { lines, branches, isInvalid } = checkRolloutLines(rollout.lines);
    if (branches.length === 0) {
      addUnplaced(lines);
      continue;
    }
    const before = { ...counts };
    const findings = countFindings(lines, counts, MAX_FINDINGS);
    const lost = rollout.lines.length - branches.length;
    const values = branches.map(({ value }) => value);
    const view = viewRollout(rollout.id, values, { lost, isInvalid, target });
    stats.add(view);
    // Those that an export counts.
    if (!isInvalid) gate?.count(view);
    log.add({
      row: {
        ...describe(view, branches),
        errors: counts.error - before.error,
        warnings: counts.warning - before.warning,
        contaminated: 0,
      },
      packed: { branches, lost, isInvalid, findings, overlaps: [], pairs: pairs.of(rollout.id) },
    });
  }
  return {
    inputs,
    stats,
    counts,
    contaminated: gate?.compare(log),
    unplaced,
  };
}

/** The digits of a hash, without the name of its kind. */
export function toDigits(hash: string): string {
  return hash.replace(/^.*:/, "");
}

/** Counts all findings and returns the first, with their columns. */
function countFindings(
  lines: readonly CheckedLine[],
  counts: FindingCounts,
  most: number,
): PageFinding[] {
  if (lines.every(({ faults }) => faults.length === 0)) return [];
  const list = new FindingList({ maxErrors: most });
  for (const { line, faults } of lines) {
    list.add(line, faults);
    for (const { id, severity } of faults) {
      counts[severity] += 1;
      counts.byId.set(id, (counts.byId.get(id) ?? 0) + 1);
    }
  }
  return list.toReport("report").findings.map(
    ({ id, severity, file, line, column, pointer, message }): PageFinding => ({
      ...{ id, severity, file, line, column, pointer, message },
    }),
  );
}

function describe(
  view: RolloutView,
  places: readonly PlacedBranch[],
): Omit<RolloutRow, "errors" | "warnings" | "contaminated"> {
  const { id, branches, outcome, pair } = view;
  const scores = branches.flatMap(({ branch }) => branch.total_score ?? []);
  const made = outcome === "pair" ? pair : undefined;
  const chosen = made?.chosen.branch.total_score;
  const rejected = made?.rejected.branch.total_score;
  return {
    id,
    outcome,
    branches: branches.length,
    passed: branches.filter(({ verdict }) => verdict === "pass").length,
    best: scores.length === 0 ? undefined : scores.reduce((a, b) => Math.max(a, b)),
    worst: scores.length === 0 ? undefined : scores.reduce((a, b) => Math.min(a, b)),
    gap: chosen === undefined || rejected === undefined ? undefined : chosen - rejected,
    turns: branches.reduce((most, { turns }) => Math.max(most, turns), 0),
    divergence: made?.parting.turn,
    verdicts: distinct(branches.map(({ verdict }) => verdict ?? "not verified")),
    tools: distinct(
      branches.flatMap(({ messages }) =>
        messages.flatMap(({ tool_calls: calls = [] }) => calls.map((call) => call.function.name)),
      ),
    ),
    files: distinct(places.map(({ file }) => file)),
  };
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}

/** Gate G3 over the rollouts of a log. Which text is boilerplate is known only once all tasks are counted. */
class EvaluationGate {
  readonly #index: EvalIndex;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #counter: ReturnType<EvalIndex["createTaskCounter"]>;

  constructor(items: readonly EvalItem[]) {
    this.#index = createEvalIndex(items);
    this.#texts = new Map(items.map((item) => [placeOf(item), item.text]));
    this.#counter = this.#index.createTaskCounter();
  }

  count({ branches: [first] }: RolloutView): void {
    if (first !== undefined) this.#counter.add(first.branch.task);
  }

  /** Adds the overlaps to the rollouts of the log. Returns how many are contaminated. */
  compare(log: RolloutLog): number {
    const comparer = new GivenComparer(this.#index, this.#counter.findBoilerplate());
    let contaminated = 0;
    for (const [index, entry] of log.entries.entries()) {
      const rollout = log.read(entry);
      const found = this.#compareOne(rollout, comparer);
      if (found === undefined) continue;
      contaminated += 1;
      log.replace(index, found);
    }
    return contaminated;
  }

  #compareOne({ row, packed }: LoggedRollout, comparer: GivenComparer): LoggedRollout | undefined {
    const values = packed.branches.map(({ value }) => value);
    const all = [{ part: taskPart(values[0]?.task ?? ""), branch: 0 }, ...collectGiven(values)];
    const parts = all.filter(({ part }) => comparer.compare(part) === "contaminated");
    if (parts.length === 0) return undefined;
    const found = comparer.findOverlaps(row.id, parts);
    const overlaps = found
      .toSorted((a, b) => b.overlapRatio - a.overlapRatio || b.longestSpan - a.longestSpan)
      .slice(0, MAX_ITEMS)
      .map(({ evalItem, overlapRatio, longestSpan, pointer, place, branch }): PackedOverlap => {
        const { id: item, file, line } = evalItem;
        const text = this.#texts.get(placeOf(evalItem)) ?? "";
        const given = resolvePointer(values[branch], pointer);
        const shared = typeof given === "string" ? given : "";
        const spans = findSharedText(shared, text, this.#index.n);
        return {
          ...{ item, file, line, pointer, place, branch },
          ...{ ratio: overlapRatio, longestSpan, spans },
        };
      });
    const items = new Set(found.map(({ evalItem }) => evalItem));
    return {
      row: {
        ...{ ...row, contaminated: items.size },
        ...{ overlap: overlaps[0]?.ratio, shared: overlaps[0]?.longestSpan },
      },
      packed: { ...packed, overlaps },
    };
  }
}

function placeOf({ file, line }: Pick<EvalItem, "file" | "line">): string {
  return `${file}:${line}`;
}
