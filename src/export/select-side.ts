import { createHash } from "node:crypto";

/** A place of an answer in a comparison of two. */
export type Side = "A" | "B";

/**
 * The side on which the chosen answer of a rollout stands, A or B with even odds, so that no model
 * learns the place instead of the answer. It is a bit of SHA-256 over seed and rollout_id: the same
 * on every machine, and whatever else is exported beside it and in what order.
 */
export function selectSide(seed: number, rolloutId: string): Side {
  const [byte = 0] = createHash("sha256").update(`${seed}\n${rolloutId}`, "utf8").digest();
  return byte % 2 === 0 ? "A" : "B";
}
