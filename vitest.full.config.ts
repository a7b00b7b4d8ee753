import { defineConfig } from "vitest/config";
import { AttackReporter } from "./scripts/attack-reporter.js";
import { LongestFirst } from "./scripts/testing/longest-first.js";
import { defineLongTests, FIXED_SEED } from "./scripts/vitest-projects.js";

const isFull = (path: string): boolean =>
  path.endsWith(".full.test.ts") ||
  (path.startsWith("conformance/interop/") && !path.endsWith(".nightly.test.ts"));

/**
 * One test of every promise that takes long to test: `npm run test:full`.
 *
 * All projects but the first test with the code of those who read, write and store the records, and in the runtimes
 * other than Node: `npm run test:interop -- eliza`.
 */
export default defineConfig({
  test: {
    passWithNoTests: false,
    maxWorkers: "100%",
    sequence: { sequencer: LongestFirst },
    reporters: ["default", new AttackReporter()],
    projects: defineLongTests(isFull, { name: "full", setupFiles: FIXED_SEED }),
  },
});
