import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** The package.json in `folder`. */
export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** Version of an installed package, for the headers of generated files. */
export function packageVersion(root: string, name: string): string {
  return readManifest(join(root, "node_modules", name)).version;
}
