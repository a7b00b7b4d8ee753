import type { PageFinding } from "../../../base/page/page.js";
import type { TargetId } from "../../wire/export/targets/index.js";
import type { PlacedBranch } from "../check-rollout.js";
import type { CommonBin } from "../distribution.js";
import type { Outcome } from "../rollout-view.js";

/** What the overview, the list and the findings of a report show: everything but the rollouts themselves. */
export interface ReportIndex {
  /** The command that made the report. */
  readonly command: string;
  readonly versions: readonly (readonly [name: string, value: string])[];
  readonly inputs: readonly InputSummary[];
  /** Trainer for which the pairs of `rows` are made. */
  readonly target: TargetId;
  readonly totals: ReportTotals;
  readonly histograms: readonly Histogram[];
  /** The rollouts of the page, in the order of the inputs. */
  readonly rows: readonly RolloutRow[];
  /** Where each of them is packed: number of the chunk, and index in it. */
  readonly places: readonly (readonly [chunk: number, at: number])[];
  /** Findings in lines that belong to no rollout of the page. */
  readonly findings: readonly PageFinding[];
  /** How the rollouts of the page were chosen; undefined if that is not a sample. */
  readonly sample: ReportSample | undefined;
  /** Undefined if the report is one page. */
  readonly part: ReportPart | undefined;
}

/** Which of several pages this one is. */
export interface ReportPart {
  /** Number of the first rollout among all of the inputs, from 1, and of the last one. */
  readonly first: number;
  readonly last: number;
  /** Files of the pages before and after, in the same folder. */
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

export interface InputSummary {
  readonly file: string;
  readonly bytes: number;
  /** SHA-256 of the file as it is stored, in hexadecimal. */
  readonly sha256: string;
  /** Relative URL from the page to the file; undefined for standard input. */
  readonly address?: string | undefined;
}

/** Sums over all rollouts of the inputs, in the page or not. */
export interface ReportTotals {
  readonly rollouts: number;
  readonly branches: number;
  readonly pairs: number;
  /** Undefined if tasks were not compared with an evaluation set. */
  readonly contaminated: number | undefined;
  readonly errors: number;
  readonly warnings: number;
  /** Rollouts by outcome, most frequent first. */
  readonly outcomes: readonly (readonly [outcome: Outcome, count: number])[];
  /** Branches by verdict, most frequent first. */
  readonly verdicts: readonly (readonly [verdict: string, count: number])[];
  /** Calls by tool, those that fail most first. */
  readonly tools: readonly (readonly [name: string, calls: number, failed: number])[];
  /** Findings by id, most frequent first. */
  readonly findings: readonly (readonly [id: string, count: number])[];
}

export interface ReportSample {
  /** Rollouts of the inputs that are not in the page. */
  readonly leftOut: number;
  readonly maxBytes: number;
  readonly seed: number;
}

/** A chart of how often values occur. */
export interface Histogram {
  readonly title: string;
  readonly series: readonly HistogramSeries[];
  readonly bins: readonly CommonBin[];
}

export interface HistogramSeries {
  /** What is counted. */
  readonly name: string;
  readonly size: number;
  readonly least: number;
  readonly median: number;
  readonly most: number;
}

/** One line of the list. */
export interface RolloutRow {
  readonly id: string;
  readonly outcome: Outcome;
  readonly branches: number;
  readonly passed: number;
  /** Highest and lowest total score; undefined if no branch is ranked. */
  readonly best?: number | undefined;
  readonly worst?: number | undefined;
  /** Difference of the total scores of the pair. */
  readonly gap?: number | undefined;
  /** Assistant turns of the longest branch. */
  readonly turns: number;
  /** The assistant turn in which the pair parts, from 1. */
  readonly divergence?: number | undefined;
  readonly verdicts: readonly string[];
  /** Names of the tools that its branches call. */
  readonly tools: readonly string[];
  /** Files of its lines. */
  readonly files: readonly string[];
  readonly errors: number;
  readonly warnings: number;
  /** Number of evaluation items that it overlaps. */
  readonly contaminated: number;
  /** The highest of their overlap ratios, 0 to 1; undefined if there are none. */
  readonly overlap?: number | undefined;
  /** Tokens of the longest text that it shares with that item. */
  readonly shared?: number | undefined;
}

/** One rollout, packed in the page and parsed when it is opened. */
export interface PackedRollout {
  readonly branches: readonly PlacedBranch[];
  /** Number of its lines that are no valid branch. */
  readonly lost: number;
  /** Whether its branches break a rule together. */
  readonly isInvalid: boolean;
  readonly findings: readonly PageFinding[];
  readonly overlaps: readonly PackedOverlap[];
  /** Its lines in the files of `--pairs`. */
  readonly pairs: readonly PackedPair[];
}

/** An evaluation item that a text overlaps which a model was given. */
export interface PackedOverlap {
  /** JSON Pointer of the text in its branch, and who spoke or what it is. */
  readonly pointer: string;
  readonly place: string;
  /** Index of the branch. */
  readonly branch: number;
  readonly item: string;
  readonly file: string;
  readonly line: number;
  /** Share of the item's tokens that the text contains, 0 to 1. */
  readonly ratio: number;
  /** Tokens of the longest shared text. */
  readonly longestSpan: number;
  /** What of the text is shared: UTF-16 offsets, in order, `end` exclusive. */
  readonly spans: readonly (readonly [start: number, end: number])[];
}

/** A line of an exported file. */
export interface PackedPair {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}
