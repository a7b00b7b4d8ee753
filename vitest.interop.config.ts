import { defineConfig } from "vitest/config";

/** Tests against the trainers' own code; apart, because their environment is large. */
export default defineConfig({
  test: {
    include: ["conformance/interop/**/*.test.ts"],
    globalSetup: ["scripts/vitest-interop-setup.ts"],
    passWithNoTests: false,
    // Only so that a hang ends; no test depends on how long anything takes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
