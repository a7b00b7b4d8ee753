import { addTo } from "../../../base/group-by.js";

/** Share of the properties of two types that both must declare. */
const MIN_LIKENESS = 0.5;

interface Likeness {
  /** Index of the new type. */
  readonly twin: number;
  /** Share of the properties that both declare. */
  readonly share: number;
}

/**
 * Pairs the most alike of two lists of types, by index; of several as alike, the first. Each type is given by the names of
 * its properties. The time grows with the number of pairs that share a property.
 */
export function* pairByLikeness(
  olds: readonly (readonly string[])[],
  news: readonly (readonly string[])[],
): Generator<readonly [old: number, new: number]> {
  const free = new Set(news.keys());
  const declaring = new Map<string, number[]>();
  for (const [index, names] of news.entries()) {
    for (const name of names) addTo(declaring, name, index);
  }
  const closest = (names: readonly string[]): Likeness | undefined => {
    const shared = new Uint32Array(news.length);
    for (const name of names) {
      for (const index of declaring.get(name) ?? []) shared[index] = (shared[index] ?? 0) + 1;
    }
    let best: Likeness | undefined;
    for (const twin of free) {
      const count = shared[twin] ?? 0;
      const all = names.length + (news[twin]?.length ?? 0) - count;
      const share = count / Math.max(1, all);
      if (share >= MIN_LIKENESS && share > (best?.share ?? 0)) best = { twin, share };
    }
    return best;
  };
  let waiting = olds.flatMap((names, index) => {
    const best = closest(names);
    return best === undefined ? [] : [{ index, names, best }];
  });
  // Each round pairs the most alike first. A type whose twin is taken takes one as alike, or waits for the next round.
  while (waiting.length > 0) {
    waiting.sort((one, other) => other.best.share - one.best.share);
    const next: typeof waiting = [];
    for (const { index, names, best } of waiting) {
      const left = free.has(best.twin) ? best : closest(names);
      if (left === undefined) continue;
      if (left.share === best.share) {
        free.delete(left.twin);
        yield [index, left.twin];
      } else {
        next.push({ index, names, best: left });
      }
    }
    waiting = next;
  }
}
