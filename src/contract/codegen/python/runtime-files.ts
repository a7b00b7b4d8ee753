import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../base/package.js";
import { headerLines, ownGenerator } from "../file-header.js";
import type { GeneratedFile } from "../target.js";

/** The handwritten part of a Python package, which does not depend on schemas. */
export function readRuntime(runtime: string, packageFolder: string): GeneratedFile[] {
  const folder = join(packageRoot(), runtime);
  return readdirSync(folder)
    .filter((file) => file.endsWith(".py"))
    .sort()
    .map((file) => {
      const header = headerLines(ownGenerator(), []).map((line) => `# ${line}\n`);
      const source = `# Copied from ${runtime}/${file}.\n\n`;
      const text = readFileSync(join(folder, file), "utf8");
      return { path: `${packageFolder}/${file}`, text: [...header, source, text].join("") };
    });
}
