import type { Detector, Span } from "./detector.js";
import { findSeedWords, LONGEST_PHRASE, SHORTEST_PHRASE } from "./find-seed-words.js";
import { findWordRuns, type SeedWord } from "./find-word-runs.js";
import { followsPhraseWords } from "./follows-key-words.js";

/** Twelve words of three letters, and what is between them; in characters. */
const SHORTEST = 47;

export const seedPhrase: Detector = {
  id: "seed-phrase",
  purpose:
    "a seed phrase of 12 to 24 English words (BIP-39) whose checksum holds, or that is called one",
  certain: true,
  mayFind: (text) => text.length >= SHORTEST,
  find: (text) => findWordRuns(text).flatMap((run) => findPhrases(text, run)),
};

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
