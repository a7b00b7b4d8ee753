import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The path of a file that is published beside the modules of the program; undefined in a checkout. The modules of the
 * library lie in a folder beside that of the program.
 */
export function findProgramFile(name: string): string | undefined {
  return ["./", "../bin/"]
    .map((folder) => fileURLToPath(new URL(`${folder}${name}`, import.meta.url)))
    .find((path) => existsSync(path));
}
