import { defineConfig } from "vitest/config";

// Only so that a hang ends; no test depends on how long anything takes.
const limits = { testTimeout: 300_000, hookTimeout: 300_000 };

/**
 * Tests against the code of those who read and write the records; apart, because their environments are
 * large. Each environment is made when a test of its project runs: `npm run test:interop -- eliza`.
 */
export default defineConfig({
  test: {
    passWithNoTests: false,
    projects: [
      {
        test: {
          name: "trainers",
          include: ["conformance/interop/*.test.ts"],
          globalSetup: ["scripts/vitest-interop-setup.ts"],
          ...limits,
        },
      },
      {
        test: {
          name: "eliza",
          include: ["conformance/interop/eliza/*.test.ts"],
          globalSetup: ["scripts/vitest-eliza-setup.ts"],
          ...limits,
        },
      },
    ],
  },
});
