import { createRequire } from "node:module";
import { dirname } from "node:path";

/** Root folder of this package, in a checkout or an installation. */
export function packageRoot(): string {
  return dirname(createRequire(import.meta.url).resolve("rollout-wire/package.json"));
}
