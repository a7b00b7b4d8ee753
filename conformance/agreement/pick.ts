import { uniformInt } from "pure-rand/distribution/uniformInt";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";

/** One of `values`, each as likely. Throws when there are none. */
export function pick<T>(values: readonly T[], random: RandomGenerator): T {
  const index = uniformInt(random, 0, values.length - 1);
  const [value] = values.slice(index, index + 1);
  if (value === undefined && values.length === 0) throw new Error("nothing to pick from");
  return value as T;
}
