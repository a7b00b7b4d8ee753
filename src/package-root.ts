import { createRequire } from "node:module";
import { dirname } from "node:path";

/** Folder of this package, in a checkout and where it is installed. */
export function packageRoot(): string {
  return dirname(createRequire(import.meta.url).resolve("rollout-wire/package.json"));
}
