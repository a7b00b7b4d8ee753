import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../base/package.js";
import { headerLines, ownGenerator } from "../file-header.js";
import type { GeneratedFile, RuntimePlace } from "../target.js";

/** The handwritten packages that generated modules import, below integrations/python: of dataclasses, and of models. */
export const RUNTIME = "rollout_wire_runtime";
export const MODEL_RUNTIME = "rollout_wire_pydantic_runtime";

/** How a module of a package imports a runtime, which is a package of its own, or one inside that package. */
export function importedAs(runtime: string, place: RuntimePlace): string {
  return place === "package" ? runtime : `.${runtime}`;
}

/**
 * The files of a runtime inside the package at `folder`; none if it is a package of its own. `renamed` are names of
 * packages that it imports, and what they are called here.
 */
export function copyRuntime(
  runtime: string,
  folder: string,
  place: RuntimePlace,
  renamed: Readonly<Record<string, string>> = {},
): GeneratedFile[] {
  if (place === "package") return [];
  const source = `integrations/python/${runtime}`;
  return readdirSync(join(packageRoot(), source))
    .filter((file) => file.endsWith(".py"))
    .sort()
    .map((file) => {
      const header = headerLines(ownGenerator(), []).map((line) => `# ${line}\n`);
      const text = Object.entries(renamed).reduce(
        (changed, [from, to]) => changed.replaceAll(`from ${from}.`, `from ${to}.`),
        readFileSync(join(packageRoot(), source, file), "utf8"),
      );
      return { path: `${folder}/${runtime}/${file}`, text: [...header, "\n", text].join("") };
    });
}
