import { defineConfig } from "vitest/config";
import { INTEROP, SPARK, STORES } from "./conformance/python-env.js";
import { AttackReporter } from "./scripts/attack-reporter.js";
import { defineTests, testsNamed, testsWith } from "./scripts/vitest-projects.js";

/**
 * The tests that take long, and the properties of `npm test` tried ten times as often: `npm run test:full`.
 *
 * The last five projects test against the code of those who read, write and store the records, and against the
 * runtimes other than Node. Each environment is made when a test of its project runs: `npm run test:interop -- eliza`.
 */
export default defineConfig({
  test: {
    passWithNoTests: false,
    maxWorkers: "100%",
    reporters: ["default", new AttackReporter()],
    projects: [
      defineTests({
        name: "full",
        include: [...testsNamed(".full.test.ts"), ...testsWith(/\brunCount\(/)],
        exclude: ["conformance/interop/**"],
        env: { ROLLOUT_WIRE_FULL_TESTS: "1" },
      }),
      defineTests(
        {
          name: "trainers",
          include: ["conformance/interop/*.test.ts"],
          env: { HF_HUB_OFFLINE: "1" },
        },
        INTEROP,
      ),
      defineTests({ name: "spark", include: ["conformance/interop/spark/*.test.ts"] }, SPARK),
      defineTests({ name: "stores", include: ["conformance/interop/stores/*.test.ts"] }, STORES),
      defineTests({ name: "eliza", include: ["conformance/interop/eliza/*.test.ts"] }),
      defineTests({ name: "runtimes", include: ["conformance/interop/runtimes/*.test.ts"] }),
    ],
  },
});
