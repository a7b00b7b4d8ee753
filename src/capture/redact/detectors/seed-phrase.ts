import type { Detector, Span } from "./detector.js";
import {
  findSeedWords,
  LONGEST_PHRASE,
  SHORTEST_PHRASE,
  seedWordIndex,
} from "./find-seed-words.js";
import { followsPhraseWords } from "./follows-key-words.js";

/** A word, or what is escaped between words. */
const WORD = /\\{1,8}[nrt]|[A-Za-z]+/g;
/** Between two words: spaces, commas, quotes, numbers as in "1. abandon"; in characters. */
const MAX_GAP = 12;

interface SeedWord extends Span {
  readonly index: number;
}

export const seedPhrase: Detector = {
  id: "seed-phrase",
  purpose:
    "a seed phrase of 12 to 24 English words (BIP-39) whose checksum holds, or that is called one",
  certain: true,
  find: (text) => findRuns(text).flatMap((run) => findPhrases(text, run)),
};

/** Runs of words of the list that might hold a phrase. */
function findRuns(text: string): SeedWord[][] {
  const runs: SeedWord[][] = [];
  let run: SeedWord[] = [];
  const close = (): void => {
    if (run.length >= SHORTEST_PHRASE) runs.push(run);
    run = [];
  };
  for (const match of text.matchAll(WORD)) {
    const [word] = match;
    if (word.startsWith("\\")) continue;
    const index = seedWordIndex(word);
    const last = run.at(-1);
    if (index === undefined || (last !== undefined && match.index - last.end > MAX_GAP)) close();
    if (index !== undefined)
      run.push({ start: match.index, end: match.index + word.length, index });
  }
  close();
  return runs;
}

function findPhrases(text: string, run: readonly SeedWord[]): Span[] {
  const marked = [...findSeedWords(run.map(({ index }) => index))];
  for (const [at, { start }] of run.entries()) {
    // "phrase" is a word of the list as well: the phrase may begin after the run does.
    const isNamed = run.length - at >= SHORTEST_PHRASE && followsPhraseWords(text, start);
    if (isNamed) marked.fill(true, at, at + LONGEST_PHRASE);
  }
  const spans: { start: number; end: number; secret: string }[] = [];
  let wasSecret = false;
  for (const [at, { start, end }] of run.entries()) {
    const isSecret = marked[at] === true;
    const last = spans.at(-1);
    const word = text.slice(start, end).toLowerCase();
    if (isSecret && wasSecret && last !== undefined) {
      last.end = end;
      last.secret += ` ${word}`;
    } else if (isSecret) spans.push({ start, end, secret: word });
    wasSecret = isSecret;
  }
  return spans;
}
