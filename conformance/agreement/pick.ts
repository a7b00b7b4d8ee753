import { uniformInt } from "pure-rand/distribution/uniformInt";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";

/** One of `values`, each as likely. Throws when there are none. */
export function pick<T>(values: readonly T[], random: RandomGenerator): T {
  if (values.length === 0) throw new Error("nothing to pick from");
  const index = uniformInt(random, 0, values.length - 1);
  for (const value of values.slice(index)) return value;
  throw new RangeError(`no value at ${index} of ${values.length}`);
}
