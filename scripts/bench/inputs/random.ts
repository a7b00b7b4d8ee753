import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** Odd constant of Fibonacci hashing (2^32 over the golden ratio): neighbours get unlike seeds. */
const SPREAD = 0x9e3779b1;

/** What draws: no two draw the same numbers. */
const STREAMS = ["word", "task", "eval item", "scores", "branch", "order"] as const;

/** Draws that are the same in every run; `stream` and `index` say which of them. */
export class Random {
  readonly #generator: ReturnType<typeof xoroshiro128plus>;

  constructor(stream: (typeof STREAMS)[number], index: number) {
    const seed = index * STREAMS.length + STREAMS.indexOf(stream);
    this.#generator = xoroshiro128plus(Math.imul(seed, SPREAD));
  }

  /** An integer from `least` to `most`, both included. */
  integer(least: number, most: number): number {
    return uniformInt(this.#generator, least, most);
  }

  /** True `percent` times in a hundred. */
  chance(percent: number): boolean {
    return this.integer(1, 100) <= percent;
  }

  /** One of `values`; the nearer to the front, the likelier: the least of two draws. */
  pick(values: readonly string[]): string {
    const last = values.length - 1;
    return values[Math.min(this.integer(0, last), this.integer(0, last))] ?? "";
  }
}
