import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HOME } from "../../home.js";
import { type Generator, headerLines } from "../file-header.js";
import type { SourceSchema } from "../load-schemas.js";
import { printPackageFiles } from "../python/print-package-files.js";
import { printPythonModule, QUICKTYPE_OPTIONS } from "../python/print-python-module.js";
import { createPythonModel } from "../python/python-model.js";
import { moduleName } from "../python/python-name.js";
import { readManifest } from "../read-manifest.js";
import type { GeneratedFile, Target } from "../target.js";

const PACKAGE = "generated/python/rollout_wire";

const GENERATOR: Generator = {
  name: `rollout-wire on quicktype-core ${readManifest("quicktype-core").version}`,
  version: readManifest().version,
  options: QUICKTYPE_OPTIONS,
};

export const python: Target = {
  id: "python",
  purpose: "the installable Python package: frozen dataclasses that check what they read",
  async generate(input) {
    const model = createPythonModel(input);
    const printModule = async (schema: SourceSchema): Promise<GeneratedFile> => ({
      path: `${PACKAGE}/${moduleName(schema.name)}.py`,
      text: await printPythonModule({
        model,
        schemaName: schema.name,
        header: headerLines(GENERATOR, [schema]),
      }),
    });
    return [
      ...(await Promise.all(input.schemas.map(printModule))),
      ...printPackageFiles(input, model),
      ...runtimeFiles(),
    ];
  },
};

/** The hand-written part of the package, which no schema shapes. */
function runtimeFiles(): GeneratedFile[] {
  const folder = join(HOME, "scripts/codegen/python/runtime");
  return readdirSync(folder)
    .filter((file) => file.endsWith(".py"))
    .sort()
    .map((file) => ({
      path: `${PACKAGE}/${file}`,
      text: `# Copied by \`npm run generate\` from scripts/codegen/python/runtime/${file}. Do not edit here.\n\n${readFileSync(join(folder, file), "utf8")}`,
    }));
}
