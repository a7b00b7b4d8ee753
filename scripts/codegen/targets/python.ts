import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Generator, headerLines } from "../file-header.js";
import type { SourceSchema } from "../load-schemas.js";
import { printPackageFiles } from "../python/print-package-files.js";
import { printPythonModule } from "../python/print-python-module.js";
import { createPythonModel } from "../python/python-model.js";
import { moduleName } from "../python/python-name.js";
import { packageVersion } from "../read-manifest.js";
import type { CodegenInput, GeneratedFile, Target } from "../target.js";

const PACKAGE = "generated/python/rollout_wire";

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
        header: headerLines(generatorOf(input), [schema]),
      }),
    });
    return [
      ...(await Promise.all(input.schemas.map(printModule))),
      ...printPackageFiles(input, model),
      ...runtimeFiles(input.root),
    ];
  },
};

function generatorOf({ root }: CodegenInput): Generator {
  return { name: "quicktype-core", version: packageVersion(root, "quicktype-core"), options: {} };
}

/** The hand-written part of the package, which no schema shapes. */
function runtimeFiles(root: string): GeneratedFile[] {
  const folder = join(root, "scripts/codegen/python/runtime");
  return readdirSync(folder)
    .filter((file) => file.endsWith(".py"))
    .sort()
    .map((file) => ({
      path: `${PACKAGE}/${file}`,
      text: `# Copied by \`npm run generate\` from scripts/codegen/python/runtime/${file}. Do not edit here.\n\n${readFileSync(join(folder, file), "utf8")}`,
    }));
}
