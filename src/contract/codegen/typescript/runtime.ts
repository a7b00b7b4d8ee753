import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { packageRoot } from "../../../base/package.js";
import { slashHeader } from "../file-header.js";
import type { GeneratedFile } from "../target.js";

/** Handwritten modules, copies of which lie beside generated validators. */
export const RUNTIME = "src/contract/codegen/typescript/runtime";

/** The folder of the copies, in that of the generated code. */
export const COPIES = "runtime";

const IMPORT = /^(import .* from|} from) "(\..*\/([\w-]+\.js))";$/gm;

/** Copies of those modules, and of what they import, below `folder`. */
export function copyRuntime(modules: Iterable<string>, folder: string): GeneratedFile[] {
  const copied = new Map<string, GeneratedFile>();
  const copy = (file: string): void => {
    const name = posix.basename(file);
    if (copied.has(name)) return;
    const text = readFileSync(join(packageRoot(), file), "utf8");
    const header = slashHeader({ schemas: [] });
    const code = text.replaceAll(IMPORT, '$1 "./$3";');
    copied.set(name, { path: `${folder}/${COPIES}/${name}`, text: `${header}\n${code}` });
    for (const [, , path = ""] of text.matchAll(IMPORT))
      copy(posix.join(posix.dirname(file), path));
  };
  for (const module of modules) copy(`${RUNTIME}/${module}.js`);
  return [...copied.values()];
}
