import type { Span } from "./detectors/detector.js";
import { findSeedWords, SHORTEST_PHRASE, seedWordIndex } from "./detectors/find-seed-words.js";
import { isKeyPairList } from "./detectors/key-bytes.js";

/** A secret that is spread over the elements of a list. */
export interface ListSecret extends Span {
  readonly kind: string;
  /** As it would stand in a text. */
  readonly text: string;
}

/** Secrets that only a whole list tells: a seed phrase word by word, a key pair byte by byte. */
export function findListSecrets(list: readonly unknown[]): ListSecret[] {
  if (list.length < SHORTEST_PHRASE) return [];
  if (isKeyPairList(list)) {
    return [{ start: 0, end: list.length, kind: "wallet-key", text: list.join(",") }];
  }
  const secrets: ListSecret[] = [];
  for (const run of findRuns(list)) {
    const marked = findSeedWords(run.indexes);
    let at = 0;
    while (at < marked.length) {
      const length = lengthOfRun(marked, at);
      if (length > 0) {
        const [start, end] = [run.start + at, run.start + at + length];
        secrets.push({
          start,
          end,
          kind: "seed-phrase",
          text: list.slice(start, end).map(toWord).join(" "),
        });
      }
      at += Math.max(1, length);
    }
  }
  return secrets;
}

function lengthOfRun(marked: readonly boolean[], start: number): number {
  let end = start;
  while (marked[end] === true) end += 1;
  return end - start;
}

/** As seed phrases within a text are written. */
function toWord(element: unknown): string {
  return String(element).trim().toLowerCase();
}

/** Words of the list of seed words that follow each other. */
function findRuns(list: readonly unknown[]): { start: number; indexes: number[] }[] {
  const runs: { start: number; indexes: number[] }[] = [];
  let isOpen = false;
  for (const [at, element] of list.entries()) {
    const index = typeof element === "string" ? seedWordIndex(element.trim()) : undefined;
    if (index === undefined) isOpen = false;
    else if (isOpen) runs.at(-1)?.indexes.push(index);
    else {
      runs.push({ start: at, indexes: [index] });
      isOpen = true;
    }
  }
  return runs;
}
