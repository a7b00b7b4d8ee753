import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HOME } from "../home.js";

export interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** The package.json of this project, or of one of its dependencies. */
export function readManifest(dependency?: string): Manifest {
  const folder = dependency === undefined ? HOME : join(HOME, "node_modules", dependency);
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
