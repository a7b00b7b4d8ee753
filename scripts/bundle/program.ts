import { isBuiltin } from "node:module";
import { join } from "node:path";
import type { RolldownOptions } from "rolldown";

/**
 * The program and the modules of its threads, with all packages that they use. Node takes milliseconds to find and load a
 * file, so what a command loads is in few.
 */
export default {
  cwd: join(import.meta.dirname, "../.."),
  input: {
    main: "src/cli/main.ts",
    worker: "src/rollouts/pipeline/worker.ts",
    "decoder-thread": "src/base/parquet/decoder-thread.ts",
    // tinypool looks for the program of its threads in this place, beside its own code.
    "entry/worker": "node_modules/tinypool/dist/entry/worker.js",
  },
  platform: "node",
  // Only a checkout bundles pages: see `loadAssets`.
  external: (id) => isBuiltin(id) || id === "rolldown",
  // A command may load what another imports.
  checks: { ineffectiveDynamicImport: false },
  output: {
    dir: "dist/bin",
    cleanDir: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    comments: { jsdoc: false },
    codeSplitting: {
      // Each group holds the modules that match, and all that they import statically.
      groups: [
        { name: "failure", test: /src\/cli\/failure\.ts$/, priority: 3 },
        { name: "start", test: /src\/cli\/run\.ts$/, priority: 2 },
        {
          name: "validate",
          test: /src\/(?:cli\/commands\/validate|rollouts\/wire\/validation\/check-block)\.ts$/,
          priority: 1,
        },
        { name: "build", test: /src\/rollouts\/pipeline\/build-block\.ts$/, priority: 0 },
      ],
    },
  },
} satisfies RolldownOptions;
