import { readdirSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import type { RolldownOptions } from "rolldown";

const root = join(import.meta.dirname, "../..");

/** The modules that a package imports by their paths. */
export const ENTRY_POINTS = [
  "src/index",
  "src/rollouts/capture/index",
  "src/rollouts/capture/delivery/index",
  "src/rollouts/capture/redact/index",
  "src/rollouts/eliza/index",
  "src/rollouts/wire/export/index",
  "conformance/index",
];

const options = {
  cwd: root,
  // Generated code is published as it is.
  external: (id) => isBuiltin(id) || id.startsWith("#"),
} satisfies RolldownOptions;

/** The library, in few files: an import takes half as long. The compiler adds the types. */
export const library = {
  ...options,
  input: Object.fromEntries(
    [...ENTRY_POINTS, ...findUpcasters(root)].map((name) => [name, `${name}.ts`]),
  ),
  platform: "node",
  output: {
    dir: "dist",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    comments: { jsdoc: false },
  },
} satisfies RolldownOptions;

/** What browsers use of the library. */
export const browserLibrary = {
  ...options,
  input: ["src/index.ts", "src/rollouts/wire/export/index.ts"],
  platform: "browser",
  // So that modules of Node are left out, with the functions that use them.
  treeshake: { moduleSideEffects: false },
  plugins: [
    {
      name: "browser-files",
      resolveId: (id) => (id === "./files.js" ? join(root, "src/browser-files.ts") : null),
    },
  ],
  // A bundler leaves out what a page does not use by module.
  output: {
    dir: "dist/browser",
    preserveModules: true,
    preserveModulesRoot: "src",
    comments: { jsdoc: false },
    // npm publishes no folder of that name.
    entryFileNames: ({ name }) => `${name.replace("node_modules", "packages")}.js`,
  },
} satisfies RolldownOptions;

/** The modules that `migrate` loads, of the checkout at `root`. */
export function findUpcasters(root: string): string[] {
  const folder = "schema/upcasters";
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => `${folder}/${file.replace(/\.ts$/, "")}`);
}
