import type { Detector } from "./detectors/detector.js";
import type { NamedSpan } from "./merge-spans.js";
import { TURN } from "./walk.js";

/** How many characters of a text are searched at once. */
export const WINDOW = TURN;
/** How far before a secret there may be something that tells it: the longest is the user of a URL. */
const BEFORE = 512;
/** How far a secret may go on, unless its detector says otherwise: a quoted value has up to 4,096 characters. */
const REACH = 4608;
/** The furthest that is looked for the end of a secret. */
const MAX_REACH = 1_048_576;
/** What ends this near to where the search had to end may go on: a line of a cut-off key has at least 16. */
const NEAR = 32;

export type TextDetector = Omit<Detector, "purpose" | "certain">;

/** Detectors that share a first test. */
export interface DetectorGroup extends Pick<Detector, "mayFind"> {
  readonly members: readonly TextDetector[];
}

export function groupDetectors(detectors: readonly TextDetector[]): DetectorGroup[] {
  const groups = new Map<Detector["mayFind"], TextDetector[]>();
  for (const detector of detectors) {
    const members = groups.get(detector.mayFind);
    if (members === undefined) groups.set(detector.mayFind, [detector]);
    else members.push(detector);
  }
  return [...groups].map(([mayFind, members]) => ({ mayFind, members }));
}

export interface WindowSearch {
  readonly spans: readonly NamedSpan[];
  /** Where the next window begins. */
  readonly next: number;
}

/** The secrets that begin within one window of a text. */
export function findInWindow(
  text: string,
  from: number,
  groups: readonly DetectorGroup[],
): WindowSearch {
  const to = from + WINDOW;
  const spans: NamedSpan[] = [];
  const part = partOf(text, from, to + REACH);
  for (const { mayFind, members } of groups) {
    if (!mayFind(part)) continue;
    for (const detector of members) spans.push(...findFrom(text, from, detector));
  }
  const furthest = spans.reduce((end, span) => Math.max(end, span.end), 0);
  return { spans, next: Math.max(to, furthest - BEFORE) };
}

function findFrom(
  text: string,
  from: number,
  { id, find, reach: firstReach = REACH }: TextDetector,
): NamedSpan[] {
  const to = from + WINDOW;
  const begin = Math.max(0, from - BEFORE);
  for (let reach = firstReach; ; reach *= 2) {
    const end = Math.min(text.length, to + reach);
    const spans = find(partOf(text, from, end))
      .map((span) => ({ ...span, id, start: begin + span.start, end: begin + span.end }))
      .filter(({ start }) => start >= from && start < to);
    const isWhole = end === text.length || reach >= MAX_REACH;
    if (isWhole || spans.every((span) => span.end <= end - NEAR)) return spans;
  }
}

function partOf(text: string, from: number, end: number): string {
  return from === 0 && end >= text.length ? text : text.slice(Math.max(0, from - BEFORE), end);
}
