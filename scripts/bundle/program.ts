import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { RolldownOptions } from "rolldown";
import { bundlePage, printLicense } from "../../src/base/page/bundle-page.js";
import { CONTRACT_PAGE } from "../../src/contract/pages/write-contract.js";
import { ROLLOUTS_PAGE } from "../../src/rollouts/look/report/render-report.js";

/** The small packages with which every command starts. */
const BUNDLED = ["@humanwhocodes/momoa", "@noble/hashes", "canonicalize", "commander"];

const root = join(import.meta.dirname, "../..");

/**
 * The program and the modules of its threads. Node takes milliseconds to find and load a file, so what a command loads is
 * in few.
 */
export default {
  cwd: root,
  input: {
    main: "src/cli/main.ts",
    worker: "src/rollouts/pipeline/worker.ts",
    "decoder-thread": "src/base/parquet/decoder-thread.ts",
  },
  platform: "node",
  external: (id) =>
    /^[^./#]/.test(id) && !BUNDLED.some((name) => id === name || id.startsWith(`${name}/`)),
  // A command may load what another imports.
  checks: { ineffectiveDynamicImport: false },
  plugins: [
    {
      name: "assets",
      async generateBundle() {
        const fileName = "parquet_wasm_bg.wasm";
        const { resolve } = createRequire(import.meta.url);
        const source = readFileSync(resolve(`parquet-wasm/esm/${fileName}`));
        this.emitFile({ type: "asset", fileName, source });
        for (const program of [ROLLOUTS_PAGE, CONTRACT_PAGE]) {
          const { name } = program;
          const { script, styles } = await bundlePage(program);
          this.emitFile({ type: "asset", fileName: `pages/${name}.js`, source: script });
          this.emitFile({ type: "asset", fileName: `pages/${name}.css`, source: styles });
        }
      },
    },
    {
      name: "licenses",
      generateBundle() {
        const source = BUNDLED.map((name) => printLicense(root, name)).join("\n");
        this.emitFile({ type: "asset", fileName: "LICENSES.txt", source });
      },
    },
  ],
  output: {
    dir: "dist/bin",
    cleanDir: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
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
