import { Random } from "./random.js";

/** 0 to `count` - 1 in an order that is random, and the same in every run (Fisher and Yates). */
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
