import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { RolloutBranchRecord } from "#generated/index.js";
import { totalScore } from "../../src/rollouts/wire/scoring/score.js";

/**
 * Odd constant of Fibonacci hashing (2^32 over the golden ratio): neighbouring values get very different
 * seeds.
 */
const SPREAD = 0x9e3779b1;

/** The random streams, which are independent of each other. */
const STREAMS = ["word", "task", "eval item", "scores", "branch", "order", "mixed branch"] as const;

/** Random numbers that are the same in every run, identified by `stream` and `index`. */
export class Random {
  readonly #generator: ReturnType<typeof xoroshiro128plus>;

  constructor(stream: (typeof STREAMS)[number], index: number) {
    const seed = index * STREAMS.length + STREAMS.indexOf(stream);
    this.#generator = xoroshiro128plus(Math.imul(seed, SPREAD));
  }

  /** An integer from `least` to `most`, inclusive. */
  integer(least: number, most: number): number {
    return uniformInt(this.#generator, least, most);
  }

  /** True with a probability of `percent` in 100. */
  chance(percent: number): boolean {
    return this.integer(1, 100) <= percent;
  }

  /** One of `values`; earlier ones are more likely (the minimum of two draws). */
  pick(values: readonly string[]): string {
    const last = values.length - 1;
    return values[Math.min(this.integer(0, last), this.integer(0, last))] ?? "";
  }
}

/** A random permutation of 0 to `count` - 1, the same in every run (Fisher and Yates). */
export function shuffledIndices(count: number): Uint32Array {
  const random = new Random("order", count);
  const indices = Uint32Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last -= 1) {
    const at = random.integer(0, last);
    const [moved = 0, other = 0] = [indices[last], indices[at]];
    indices[last] = other;
    indices[at] = moved;
  }
  return indices;
}

/** The result of ranking for a branch. */
export type Scores = Pick<
  RolloutBranchRecord,
  "objective_status" | "objective_score" | "total_score" | "rank"
>;

export const BRANCHES_PER_ROLLOUT = 4;

/** Scores and ranks of a rollout's branches, in branch order. */
export function createScores(rollout: number): Scores[] {
  const random = new Random("scores", rollout);
  const scored = Array.from({ length: BRANCHES_PER_ROLLOUT }, (_, branch) => {
    const passed = random.chance(55);
    const objective_score = passed ? 1 : 0;
    const failure = random.chance(3) ? "unknown" : "fail";
    return {
      branch,
      objective_status: passed ? "pass" : failure,
      objective_score,
      total_score: totalScore({ objective: objective_score, judgeScore: random.integer(0, 10) }),
    } as const;
  });
  const best = scored.toSorted((a, b) => b.total_score - a.total_score || a.branch - b.branch);
  return scored.map(({ branch, ...scores }) => ({
    ...scores,
    rank: 1 + best.findIndex((each) => each.branch === branch),
  }));
}

/** Task of a rollout: 20 to 56 words, one in ten with non-ASCII words. */
export function createTask(rollout: number): string {
  const random = new Random("task", rollout);
  return createText(random, random.integer(20, 56), rollout % 10 === 3);
}

/** Syllables. Few enough that words repeat, and enough that no eight words in a row repeat by chance. */
const VOCABULARY = 6000;
const SYLLABLES = "ka re to mi sol ban der lin au fex or ti ven schu pra ne gol ist um ya".split(
  " ",
);
/** Accents, other scripts, typography and an emoji: strings that V8 does not store as Latin-1. */
const UNICODE_WORDS = [
  "naïve",
  "Größe",
  "東京",
  "“quoted”",
  "→",
  "данные",
  "🚀",
  "café",
  "5 €",
  "सूची",
];

const WORDS: readonly string[] = Array.from({ length: VOCABULARY }, (_, index) => {
  const random = new Random("word", index);
  const syllables = Array.from({ length: random.integer(1, 3) }, () => random.pick(SYLLABLES));
  return syllables.join("");
});

/** A text of `words` words; with `unicode`, some of them are non-ASCII. */
export function createText(random: Random, words: number, unicode = false): string {
  let text = "";
  for (let index = 0; index < words; index += 1) {
    const foreign = unicode && random.chance(8);
    const end = random.chance(7) ? ". " : " ";
    text += (foreign ? random.pick(UNICODE_WORDS) : random.pick(WORDS)) + end;
  }
  return text.trimEnd();
}

/** Evaluation items per rollout: 100,000 for the 20,000 tasks of the full size. */
export const EVAL_ITEMS_PER_ROLLOUT = 5;
/** One item in so many repeats a task of the rollouts, so that G3 has something to find. */
const LEAK_EVERY = 1000;

/** Evaluation item: 15 to 55 words, at least as long as an n-gram. */
export function createEvalItem(index: number): object {
  const random = new Random("eval item", index);
  const leaks = index % LEAK_EVERY === 0;
  const prompt = leaks
    ? createTask(index / EVAL_ITEMS_PER_ROLLOUT)
    : createText(random, random.integer(15, 55), index % 10 === 7);
  return { id: `eval-${index}`, prompt };
}
