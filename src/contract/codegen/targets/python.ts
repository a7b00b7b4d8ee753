import { type Generator, headerLines } from "../file-header.js";
import { createPythonModel } from "../python/model.js";
import { printPythonModules, QUICKTYPE_OPTIONS } from "../python/module.js";
import { moduleName } from "../python/names.js";
import { printPackageFiles } from "../python/package-files.js";
import { printPublished } from "../python/published.js";
import { readRuntime } from "../python/runtime-files.js";
import type { Target } from "../target.js";
import { readManifest } from "../target.js";

const PACKAGE = "generated/python/rollout_wire";
const RUNTIME = "integrations/python/rollout_wire";

const GENERATOR: Generator = {
  name: `rollout-wire on quicktype-core ${readManifest("quicktype-core").version}`,
  version: readManifest().version,
  options: QUICKTYPE_OPTIONS,
};

export const python: Target = {
  id: "python",
  purpose: "the installable Python package: frozen dataclasses that check what they read",
  isForWire: true,
  async generate(input) {
    const model = createPythonModel(input);
    const modules = input.schemas.map((schema) => ({
      model,
      schemaName: schema.name,
      header: headerLines(GENERATOR, [schema]),
    }));
    const sources = await printPythonModules(model, modules);
    const files = [
      ...[...sources].map(([name, text]) => ({ path: `${PACKAGE}/${moduleName(name)}.py`, text })),
      ...printPackageFiles(input, model),
      ...readRuntime(RUNTIME, PACKAGE),
    ];
    const paths = files.map(({ path }) => path);
    return [...files, printPublished(`${PACKAGE}/_published.py`, input, paths)];
  },
};
