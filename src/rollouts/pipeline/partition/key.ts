import { createHash } from "node:crypto";

/** Bits of each half of a key: as many as a number holds exactly, in whole bytes. */
const HALF_BITS = 48;
const HALF_BYTES = HALF_BITS / 8;

/**
 * Where a rollout comes in a partition: the first 96 bits of the SHA-256 of its id, as two numbers. Rollouts are in the
 * order of their keys, whatever the order of the inputs and the number of shards.
 */
export interface RolloutKey {
  readonly high: number;
  readonly low: number;
}

/** The `low` of lines that name no rollout. */
const NO_ROLLOUT = 2 ** HALF_BITS - 1;

/** The key of a rollout by its id. */
export function keyOf(id: string): RolloutKey {
  const digest = createHash("sha256").update(id).digest();
  const low = digest.readUIntBE(HALF_BYTES, HALF_BYTES);
  return { high: digest.readUIntBE(0, HALF_BYTES), low: Math.min(low, NO_ROLLOUT - 1) };
}

/** The key of a line that names no rollout: its bytes determine its place. */
export function keyOfLine(line: Uint8Array): RolloutKey {
  const digest = createHash("sha256").update(line).digest();
  return { high: digest.readUIntBE(0, HALF_BYTES), low: NO_ROLLOUT };
}

/** Whether a key is that of a rollout. */
export function isRollout({ low }: RolloutKey): boolean {
  return low !== NO_ROLLOUT;
}

/** Which of `count` ranges of equal size a key is in, from 0. */
export function rangeOf({ high }: Pick<RolloutKey, "high">, count: number): number {
  return Math.floor((high / 2 ** HALF_BITS) * count);
}

/** Negative if `a` comes before `b`; 0 if they are the same rollout's. */
export function compareKeys(a: RolloutKey, b: RolloutKey): number {
  return a.high - b.high || a.low - b.low;
}
