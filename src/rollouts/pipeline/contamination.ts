import type { RecordFault, Severity } from "../../base/findings/finding.js";
import type { FindingList } from "../../base/findings/finding-list.js";
import { escapeControls, formatCount, previewValue } from "../../base/text.js";
import {
  type Boilerplate,
  NO_BOILERPLATE,
  type TaskCounter,
} from "../wire/decontamination/boilerplate.js";
import type { G3Finding } from "../wire/decontamination/corpus.js";
import type { EvalIndex, TaskVerdict } from "../wire/decontamination/eval-index.js";
import { type LineReader, toUnreadRecord } from "./reread.js";
import type { SerializedRollout } from "./serializer.js";

/** Maximum number of rollouts whose overlaps are listed. Further ones are only counted. */
const MAX_EXPLAINED = 100;
/** Evaluation items listed per rollout: those with the highest overlap ratios. */
const MAX_ITEMS = 10;

const G3_ID = "g3";

/** A rollout that shares an n-gram with the evaluation set. */
export interface ContaminatedRollout {
  readonly rollout: string;
  readonly file: string;
  /** The rollout's first line. */
  readonly line: number;
  /** How many evaluation items it overlaps. */
  readonly items: number;
  /** The overlaps with the highest ratios. */
  readonly overlaps: readonly G3Finding[];
}

/**
 * Gate G3: compares rollouts with an evaluation set and stores the overlaps. Until the boilerplate is known, the tasks
 * are counted, and the verdicts are provisional: every shared n-gram counts as contamination.
 */
export class Contamination {
  readonly #index: EvalIndex;
  readonly #severity: Severity;
  readonly #explained: ContaminatedRollout[] = [];
  readonly #counter: TaskCounter | undefined;
  #boilerplate: Boilerplate;
  readonly #counts: Record<TaskVerdict, number> = {
    clean: 0,
    boilerplate: 0,
    "below-minimum": 0,
    contaminated: 0,
  };

  /** `boilerplate` is what `settle` returned after the same rollouts, or what the index has. Otherwise it is not known yet. */
  constructor(
    index: EvalIndex,
    severity: Severity,
    boilerplate: Boilerplate | undefined = index.boilerplate,
  ) {
    this.#index = index;
    this.#severity = severity;
    this.#boilerplate = boilerplate ?? NO_BOILERPLATE;
    this.#counter = boilerplate === undefined ? index.createTaskCounter() : undefined;
  }

  /** Number of contaminated rollouts. */
  get rollouts(): number {
    return this.#counts.contaminated;
  }

  /** Number of rollouts that share only boilerplate with the evaluation set. */
  get onlyBoilerplate(): number {
    return this.#counts.boilerplate;
  }

  /** Number of rollouts that share more, but less than the minimum with each item. */
  get belowMinimum(): number {
    return this.#counts["below-minimum"];
  }

  /** The boilerplate of all tasks; none before `settle`. */
  get boilerplate(): Boilerplate {
    return this.#boilerplate;
  }

  /** The first contaminated rollouts, with their overlaps. */
  get explained(): readonly ContaminatedRollout[] {
    return this.#explained;
  }

  /** Returns the overlaps of a rollout with the evaluation set, empty if it is clean, and adds them to `findings`. */
  check(rollout: SerializedRollout, findings: FindingList, reader: LineReader): RecordFault[] {
    const verdict = this.#compare(rollout.task);
    this.#counts[verdict] += 1;
    if (verdict !== "contaminated") return [];
    const { id, file, position } = rollout;
    if (this.#explained.length >= MAX_EXPLAINED) {
      const fault = this.#toFault("shares an n-gram with the evaluation set");
      findings.add(toUnreadRecord(file, position.line), [fault]);
      return [fault];
    }
    const all = this.#index.findOverlaps({ id, text: rollout.task }, this.#boilerplate);
    const overlaps = all.toSorted((a, b) => b.overlapRatio - a.overlapRatio).slice(0, MAX_ITEMS);
    const messages = overlaps.map(describeOverlap);
    if (all.length > overlaps.length) {
      const more = formatCount(all.length - overlaps.length, "more evaluation item");
      messages.push(`rollout ${previewValue(id)} overlaps ${more}`);
    }
    const faults = messages.map((message) => this.#toFault(message));
    findings.add(reader.readRecord(file, position), faults);
    const place = { rollout: id, file, line: position.line };
    this.#explained.push({ ...place, items: all.length, overlaps });
    return faults;
  }

  /**
   * Ends the counting once all rollouts are checked. Returns the boilerplate if verdicts were only provisional, so that
   * all rollouts must be checked again with it; undefined if they stand.
   */
  settle(): Boilerplate | undefined {
    if (this.#counter === undefined) return undefined;
    this.#boilerplate = this.#counter.findBoilerplate();
    const changes = this.#boilerplate.ngrams > 0 || this.#index.minOverlap > 0;
    return changes && this.rollouts > 0 ? this.#boilerplate : undefined;
  }

  #compare(task: string): TaskVerdict {
    if (this.#counter === undefined) return this.#index.compare(task, this.#boilerplate);
    return this.#counter.add(task) ? "contaminated" : "clean";
  }

  #toFault(message: string): RecordFault {
    return { id: G3_ID, severity: this.#severity, pointer: "/task", message };
  }
}

function describeOverlap({ task, evalItem, ngram, overlapRatio, longestSpan }: G3Finding): string {
  const item = `${previewValue(evalItem.id)} (${escapeControls(evalItem.file)}:${evalItem.line})`;
  // Two significant digits, so that a small overlap is not rounded to zero.
  const ratio = Number(overlapRatio.toPrecision(2));
  return (
    `rollout ${previewValue(task)} shares "${escapeControls(ngram)}" with evaluation item ${item}, ` +
    `overlap ratio ${ratio}, longest span ${longestSpan}`
  );
}
