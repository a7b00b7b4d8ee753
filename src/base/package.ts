import { createRequire } from "node:module";
import { dirname } from "node:path";

/** The name of this package and its repository. */
export const OWN_NAME = "rollout-wire";

/** The file in a repository that says which copies it holds, and how strictly they are judged. */
export const CONFIG_FILE = "rollout-wire.config.json";

/** Root folder of this package, in a checkout or an installation. */
export function packageRoot(): string {
  return dirname(createRequire(import.meta.url).resolve("rollout-wire/package.json"));
}

/** Version of this program, from its package.json. */
export function packageVersion(): string {
  const manifest: unknown = createRequire(import.meta.url)("rollout-wire/package.json");
  if (typeof manifest === "object" && manifest !== null && "version" in manifest) {
    return String(manifest.version);
  }
  throw new TypeError("rollout-wire/package.json has no version");
}
