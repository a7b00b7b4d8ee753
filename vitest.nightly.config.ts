import { defineConfig } from "vitest/config";
import { AttackReporter } from "./scripts/attack-reporter.js";
import { defineLongTests, testsWith } from "./scripts/vitest-projects.js";

const sampled = new Set(testsWith(/\b(runCount|sampleCases)\(|\bisNightly\b/));

/** What other runs leave out or try on a few cases, in all cases, and with new random values: `npm run test:nightly`. */
export default defineConfig({
  test: {
    passWithNoTests: false,
    maxWorkers: "100%",
    reporters: ["default", new AttackReporter()],
    projects: defineLongTests((path) => path.endsWith(".nightly.test.ts") || sampled.has(path), {
      name: "nightly",
      env: { ROLLOUT_WIRE_NIGHTLY_TESTS: "1" },
    }),
  },
});
