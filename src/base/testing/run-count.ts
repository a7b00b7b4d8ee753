/** Whether this is the nightly run, which repeats every file that uses this module. Set by vitest.nightly.config.ts. */
export const isNightly = process.env.ROLLOUT_WIRE_NIGHTLY_TESTS === "1";

/** How often a property is tried: `full` times in the nightly run, elsewhere `quick` times, by default a tenth. */
export function runCount(full: number, quick: number = Math.ceil(full / 10)): number {
  return isNightly ? full : quick;
}

/** All cases in the nightly run; elsewhere `count` of them, always the same, from the first to the last at equal distances. */
export function sampleCases<Case>(cases: readonly Case[], count: number): readonly Case[] {
  if (isNightly || cases.length <= count) return cases;
  const distance = (cases.length - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, index) => cases[Math.round(index * distance)]).filter(
    (each) => each !== undefined,
  );
}
