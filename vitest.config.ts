import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "src/**/*.test.ts",
      "conformance/**/*.test.ts",
      "scripts/**/*.test.ts",
      "examples/**/*.test.ts",
    ],
    // They have an environment and a configuration of their own: npm run test:interop.
    exclude: [...configDefaults.exclude, "conformance/interop/**"],
    globalSetup: ["scripts/vitest-setup.ts"],
    // By default one core is left to whoever watches.
    maxWorkers: "100%",
    // Only so that a hang ends; no test depends on how long anything takes.
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
