import { sha256Hex } from "../../../base/sha256-hex.js";
import type { Boilerplate } from "./boilerplate.js";
import type { G3Finding } from "./corpus.js";
import type { EvalIndex, TaskVerdict } from "./eval-index.js";
import type { GivenPart, GivenText, PlacedPart } from "./given-texts.js";

/** Verdicts, the worst last. */
export const VERDICTS: readonly TaskVerdict[] = [
  "clean",
  "boilerplate",
  "below-minimum",
  "contaminated",
];

/** The worst of several verdicts; `clean` of none. */
export function worstOf(verdicts: readonly TaskVerdict[]): TaskVerdict {
  return VERDICTS.findLast((verdict) => verdicts.includes(verdict)) ?? "clean";
}

/** The overlap of a text that a model was given with an evaluation item. */
export interface GivenOverlap extends G3Finding, Pick<GivenText, "pointer" | "place"> {
  /** Index of the branch that has the text. */
  readonly branch: number;
}

/** Verdicts that are remembered: those of parts that many rollouts share. */
const MAX_KNOWN = 100_000;

/** Compares what models were given with an evaluation set; equal parts once. */
export class GivenComparer {
  readonly #index: EvalIndex;
  readonly #boilerplate: Boilerplate | undefined;
  readonly #known = new Map<string, TaskVerdict>();
  readonly #seen = new WeakMap<GivenPart, TaskVerdict>();

  constructor(index: EvalIndex, boilerplate: Boilerplate | undefined) {
    this.#index = index;
    this.#boilerplate = boilerplate;
  }

  /** The worst verdict on a text of the part. */
  compare(part: GivenPart): TaskVerdict {
    const seen = this.#seen.get(part);
    if (seen !== undefined) return seen;
    // A shorter hash may collide: then a contaminated text would have the verdict of a clean one.
    const hash = sha256Hex(part.key);
    const verdict = this.#known.get(hash) ?? this.#compare(part);
    if (this.#known.size < MAX_KNOWN) this.#known.set(hash, verdict);
    this.#seen.set(part, verdict);
    return verdict;
  }

  /** The overlaps of parts of a rollout, those with the highest ratios first. */
  findOverlaps(rollout: string, parts: readonly PlacedPart[]): GivenOverlap[] {
    const overlaps = parts.flatMap(({ part, branch }) =>
      part.texts.flatMap(({ pointer, place, text }) =>
        this.#index
          .findOverlaps({ id: rollout, text }, this.#boilerplate)
          .map((finding) => ({ ...finding, pointer, place, branch })),
      ),
    );
    return overlaps.sort((a, b) => b.overlapRatio - a.overlapRatio);
  }

  #compare({ texts }: GivenPart): TaskVerdict {
    return worstOf(texts.map(({ text }) => this.#index.compare(text, this.#boilerplate)));
  }
}
