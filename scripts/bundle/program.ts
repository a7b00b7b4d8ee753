import { isBuiltin } from "node:module";
import { join } from "node:path";
import type { Plugin, RolldownOptions } from "rolldown";
import { packagesOf } from "../../src/base/page/bundle-page.js";

/** What stands in for a module of a package, of which code generators use a part. */
const PARTS: readonly (readonly [module: RegExp, code: string])[] = [
  // A checkout loads it as CommonJS.
  [/contract\/codegen\/python\/quicktype\.ts$/, 'export * from "quicktype-core";'],
  [
    /quicktype-core\/dist\/esm\/language\/All\.js$/,
    `import { PythonTargetLanguage } from "./Python/index.js";
    export const all = [new PythonTargetLanguage()];
    export function languageNamed() { throw new TypeError("a language is given as an object"); }
    export const isLanguageName = () => false;
    export const isLanguageDisplayName = () => false;`,
  ],
  // No schema is parsed as YAML.
  [
    /quicktype-core\/dist\/esm\/support\/ParseJSON\.js$/,
    "export const parseJSON = (text) => JSON.parse(text);",
  ],
  [/js-yaml\/dist\/js-yaml\.cjs\.js$/, "exports.CORE_SCHEMA = { withTags: () => undefined };"],
  // Types are laid out without it.
  [/prettier\/index\.cjs$/, 'exports.format = () => { throw new TypeError("no formatter"); };'],
];

const parts: Plugin = {
  name: "parts",
  load: (id) => PARTS.find(([module]) => module.test(id.replaceAll("\\", "/")))?.[1] ?? null,
};

/** Names the packages in a file at its beginning: minified code does not. */
function namePackages({ moduleIds }: { readonly moduleIds: readonly string[] }): string {
  const names = packagesOf(moduleIds).map((folder) => folder.replace(/^.*node_modules\//, ""));
  return names.length === 0 ? "" : `/*! Holds ${names.join(", ")}: see THIRD-PARTY-LICENSES.txt */`;
}

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
  plugins: [parts],
  // So that no other language of quicktype is in it.
  treeshake: {
    moduleSideEffects: [{ test: /node_modules\/quicktype-core\//, sideEffects: false }],
  },
  // Only a checkout bundles pages: see `loadAssets`.
  external: (id) => isBuiltin(id) || id === "rolldown",
  // A command may load what another imports.
  checks: { ineffectiveDynamicImport: false },
  output: {
    dir: "dist/bin",
    cleanDir: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    // Functions keep their names, for stack traces.
    minify: {
      mangle: { keepNames: { function: true, class: true } },
      compress: { keepNames: { function: true, class: true } },
      codegen: { removeWhitespace: true },
    },
    postBanner: namePackages,
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
