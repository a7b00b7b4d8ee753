/** Set by vitest.full.config.ts. */
const isFull = process.env.ROLLOUT_WIRE_FULL_TESTS === "1";

/**
 * How often a property is tried: as often as said in the full run of the tests, which runs every file anew
 * that calls this, and `quick` times, by default a tenth, in `npm test`.
 */
export function runCount(full: number, quick: number = Math.ceil(full / 10)): number {
  return isFull ? full : quick;
}
