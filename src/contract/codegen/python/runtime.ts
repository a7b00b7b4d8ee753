import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dirname } from "node:path/posix";
import type { Output } from "#generated/index.js";
import { packageRoot } from "../../../base/package.js";
import { pythonHeader } from "../file-header.js";
import type { GeneratedFile } from "../target.js";

/** Handwritten modules, which generated packages hold copies of: of dataclasses, and of models. */
export const RUNTIME = "src/contract/codegen/python/runtime";
export const MODEL_RUNTIME = "src/contract/codegen/pydantic/runtime";

/** Import name of our own package, which the handwritten modules say. */
export const OWN_PACKAGE = "rollout_wire";

/** Import name of the package at `folder`. */
export function packageNameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf("/") + 1);
}

/** Folder of the dataclasses of the models at `folder`: beside these, or elsewhere. */
export function dataclassesOf(folder: string, outputs: readonly Output[]): string {
  const packages = outputs.filter(({ target }) => target === "python");
  const beside = packages.find((each) => dirname(each.folder) === dirname(folder)) ?? packages[0];
  return beside?.folder ?? folder.replace(/_pydantic$/, "");
}

/**
 * The modules of a runtime that the package at `folder` needs, as its files: those that `files` import, those that these
 * import, and so on. They say `packageName` wherever they name the package of the dataclasses.
 */
export function copyRuntime(
  runtime: string,
  folder: string,
  files: readonly GeneratedFile[],
  packageName = packageNameOf(folder),
): GeneratedFile[] {
  const printed = new Set(files.map(({ path }) => path));
  const copied = new Map<string, GeneratedFile>();
  const follow = (text: string): void => {
    for (const [, module = ""] of text.matchAll(/^ *from \.(_\w+) import /gm)) copy(module);
  };
  const copy = (module: string): void => {
    const path = `${folder}/${module}.py`;
    if (printed.has(path) || copied.has(module)) return;
    const source = join(packageRoot(), runtime, `${module}.py`);
    const text = readFileSync(source, "utf8").replaceAll(OWN_PACKAGE, packageName);
    const header = pythonHeader({ schemas: [] }).map((line) => `${line}\n`);
    copied.set(module, { path, text: [...header, "\n", text].join("") });
    follow(text);
  };
  for (const { text } of files) follow(text);
  return [...copied.values()];
}
