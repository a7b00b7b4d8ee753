import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Version of an installed package, for the headers of generated files. */
export function packageVersion(root: string, name: string): string {
  const file = join(root, "node_modules", name, "package.json");
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { version: string };
  return version;
}
