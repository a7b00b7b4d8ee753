import { uniformInt } from "pure-rand/distribution/uniformInt";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { type Literals, listMutations } from "./list-mutations.js";
import { pick } from "./pick.js";
import { listPaths } from "./record-edits.js";

/** Changes to one record; more would hide each other. */
const MAX_CHANGES = 3;

/** A copy of `record` that differs in a few places, chosen by `random`. */
export function mutateRecord(
  record: unknown,
  literals: Literals,
  random: RandomGenerator,
): unknown {
  let mutant = record;
  for (let left = uniformInt(random, 1, MAX_CHANGES); left > 0; left -= 1) {
    const path = pick(listPaths(mutant), random);
    const mutate = pick(listMutations(mutant, path, literals), random);
    mutant = mutate();
  }
  return mutant;
}
