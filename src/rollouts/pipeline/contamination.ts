import { decodeRows } from "../../base/files/row-log.js";
import type { RecordFault, Severity } from "../../base/findings/finding.js";
import type { FindingList } from "../../base/findings/finding-list.js";
import { groupBy } from "../../base/group-by.js";
import { escapeControls, formatCount, previewValue } from "../../base/text.js";
import {
  type Boilerplate,
  NO_BOILERPLATE,
  type TaskCounter,
} from "../wire/decontamination/boilerplate.js";
import {
  GivenComparer,
  type GivenOverlap,
  worstOf,
} from "../wire/decontamination/compare-given.js";
import type { G3Finding } from "../wire/decontamination/corpus.js";
import type { EvalIndex, TaskVerdict } from "../wire/decontamination/eval-index.js";
import { type GivenPart, type PlacedPart, taskPart } from "../wire/decontamination/given-texts.js";
import { positionCodec } from "./positions.js";
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
  readonly overlaps: readonly GivenOverlap[];
}

/** A rollout to be compared. */
interface CheckedRollout {
  readonly rollout: SerializedRollout;
  /** What its `given` refers to. */
  readonly parts: readonly GivenPart[];
  /** Rows of the positions of its lines, and what reads them. */
  readonly lines: { readonly positions: Float64Array; readonly reader: LineReader };
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
  readonly #comparer: GivenComparer;
  readonly #places = new Set<string>();
  #texts = 0;
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
    this.#comparer = new GivenComparer(index, boilerplate);
  }

  /** Number of texts compared: of each rollout its task, and each other text that its models were given. */
  get texts(): number {
    return this.#texts;
  }

  /** Where the contaminated texts of the explained rollouts stand: see `GivenText`. */
  get places(): ReadonlySet<string> {
    return this.#places;
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
  check({ rollout, parts, lines }: CheckedRollout, findings: FindingList): RecordFault[] {
    const given = rollout.given.flatMap(({ part: index, branch }) => {
      const part = parts[index];
      return part === undefined ? [] : [{ part, branch }];
    });
    const all = [{ part: taskPart(rollout.task), branch: 0 }, ...given];
    this.#texts += all.reduce((sum, { part }) => sum + part.texts.length, 0);
    const verdicts = [this.#compareTask(rollout.task), ...given.map(this.#compareGiven)];
    const verdict = worstOf(verdicts);
    this.#counts[verdict] += 1;
    if (verdict !== "contaminated") return [];
    const found = all.filter((_, index) => verdicts[index] === "contaminated");
    const { id, file, position } = rollout;
    const pointers = found.map(({ part }) => part.texts[0]?.pointer ?? "");
    if (this.#explained.length >= MAX_EXPLAINED) {
      const fault = this.#toFault("shares an n-gram with the evaluation set", pointers[0]);
      findings.add(toUnreadRecord(file, position.line), [fault]);
      return [fault];
    }
    const overlaps = this.#comparer.findOverlaps(id, found);
    for (const { place } of overlaps) this.#places.add(place);
    const listed = overlaps.slice(0, MAX_ITEMS);
    const faults = listed.map((overlap) => ({
      branch: overlap.branch,
      fault: this.#toFault(describeOverlap(overlap), overlap.pointer),
    }));
    if (overlaps.length > listed.length) {
      const more = formatCount(overlaps.length - listed.length, "more overlap");
      const message = `rollout ${previewValue(id)} has ${more}`;
      faults.push({ branch: 0, fault: this.#toFault(message, pointers[0]) });
    }
    const positions = [...decodeRows(lines.positions, positionCodec)];
    for (const [branch, own] of groupBy(faults, (each) => each.branch)) {
      const at = positions[branch] ?? position;
      const name = lines.reader.nameOf(at.input) ?? file;
      findings.add(
        lines.reader.readRecord(name, at),
        own.map(({ fault }) => fault),
      );
    }
    const items = new Set(overlaps.map(({ evalItem }) => evalItem)).size;
    const place = { rollout: id, file, line: position.line };
    this.#explained.push({ ...place, items, overlaps: listed });
    return faults.map(({ fault }) => fault);
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

  #compareTask(task: string): TaskVerdict {
    if (this.#counter === undefined) return this.#index.compare(task, this.#boilerplate);
    return this.#counter.add(task) ? "contaminated" : "clean";
  }

  readonly #compareGiven = ({ part }: PlacedPart): TaskVerdict => {
    const verdict = this.#comparer.compare(part);
    const isProvisional = this.#counter !== undefined && verdict !== "clean";
    return isProvisional ? "contaminated" : verdict;
  };

  #toFault(message: string, pointer = ""): RecordFault {
    return { id: G3_ID, severity: this.#severity, pointer, message };
  }
}

function describeOverlap(overlap: GivenOverlap): string {
  const { task, place } = overlap;
  const where = place === "task" ? "" : ` (${escapeControls(place)})`;
  return `rollout ${previewValue(task)}${where} ${describeShared(overlap)}`;
}

/** What a text shares with an evaluation item, as a clause without its subject. */
export function describeShared({ evalItem, ngram, overlapRatio, longestSpan }: G3Finding): string {
  const item = `${previewValue(evalItem.id)} (${escapeControls(evalItem.file)}:${evalItem.line})`;
  // Two significant digits, so that a small overlap is not rounded to zero.
  const ratio = Number(overlapRatio.toPrecision(2));
  return (
    `shares "${escapeControls(ngram)}" with evaluation item ${item}, ` +
    `overlap ratio ${ratio}, longest span ${longestSpan}`
  );
}
