import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { RolldownOptions } from "rolldown";

const root = join(import.meta.dirname, "../..");

/** The modules that a package imports by their paths. */
const ENTRY_POINTS = [
  "src/index",
  "src/rollouts/wire/export/index",
  "src/rollouts/eliza/index",
  "conformance/index",
];

/** The library, in few files: an import takes half as long. The compiler adds the types. */
export default {
  cwd: root,
  input: Object.fromEntries(
    [...ENTRY_POINTS, ...findUpcasters(root)].map((name) => [name, `${name}.ts`]),
  ),
  platform: "node",
  // Packages, and generated code, which is published as it is.
  external: (id) => /^[^./]/.test(id),
  output: {
    dir: "dist",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
  },
} satisfies RolldownOptions;

/** The modules that `migrate` loads, of the checkout at `root`. */
export function findUpcasters(root: string): string[] {
  const folder = "schema/upcasters";
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => `${folder}/${file.replace(/\.ts$/, "")}`);
}
