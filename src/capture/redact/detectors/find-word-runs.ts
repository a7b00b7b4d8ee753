import type { Span } from "./detector.js";
import { SHORTEST_PHRASE, seedWordIndex } from "./find-seed-words.js";

/** Between two words: spaces, commas, quotes, numbers as in "1. abandon"; in characters. */
const MAX_GAP = 12;
/** Letters of the shortest and of the longest word of the list. */
const [MIN_WORD, MAX_WORD] = [3, 8];
const BACKSLASH = 0x5c;

export interface SeedWord extends Span {
  readonly index: number;
}

/** Runs of words of the list of seed words, each long enough for a phrase. */
export function findWordRuns(text: string): SeedWord[][] {
  const runs: SeedWord[][] = [];
  let run: SeedWord[] = [];
  const close = (): void => {
    if (run.length >= SHORTEST_PHRASE) runs.push(run);
    if (run.length > 0) run = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    if (!isLetter(text.charCodeAt(at)) || isEscape(text, at)) continue;
    const start = at;
    while (isLetter(text.charCodeAt(at + 1))) at += 1;
    const end = at + 1;
    const isLikely = end - start >= MIN_WORD && end - start <= MAX_WORD;
    const index = isLikely ? seedWordIndex(text.slice(start, end)) : undefined;
    const last = run.at(-1);
    if (index === undefined || (last !== undefined && start - last.end > MAX_GAP)) close();
    if (index !== undefined) run.push({ start, end, index });
  }
  close();
  return runs;
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** Whether a letter is that of `\n`, `\r` or `\t`, as JSON has it within quotes. */
function isEscape(text: string, at: number): boolean {
  return text.charCodeAt(at - 1) === BACKSLASH && "nrt".includes(text.charAt(at));
}
