import { defineConfig } from "vitest/config";
import {
  bundledThreads,
  defineTests,
  FIXED_SEED,
  testsNamed,
  testsWith,
} from "./scripts/vitest-projects.js";

/** Not run by `npm test`: see vitest.full.config.ts and vitest.nightly.config.ts. */
const OTHERS = ["conformance/interop/**", ...testsNamed(".{full,nightly}.test.ts")];
const PROCESS = testsNamed(".process.test.ts");

/** Tests that change or count what all tests of a process share: modules, timers, signals, open files. */
const APART = testsWith(
  /\bvi\.(mock|doMock|stub|useFakeTimers|spyOn|resetModules)|\bprocess\.(chdir|exitCode|kill|on|once|emit\w*)\b|\bprocess\.env\.\w+ = |delete process\.env|listenerCount\(|\/proc\/self/,
);

/** The tests of `npm test`, by the names of their files. */
export default defineConfig({
  test: {
    // By default one core is left to whoever watches.
    maxWorkers: "100%",
    projects: [
      // Every module is loaded once for each worker, not once for each file.
      defineTests({
        name: "unit",
        include: testsNamed(".test.ts"),
        exclude: [...OTHERS, ...PROCESS, ...APART],
        setupFiles: FIXED_SEED,
        pool: "threads",
        isolate: false,
      }),
      // One project, because each compiles the modules that its tests import.
      defineTests({
        name: "apart",
        include: [...APART, ...PROCESS],
        exclude: OTHERS,
        setupFiles: FIXED_SEED,
      }),
    ].map((project) => ({ ...project, plugins: [bundledThreads] })),
  },
});
