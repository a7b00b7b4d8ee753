import { type Generator, headerLines } from "../file-header.js";
import { createPythonModel } from "../python/model.js";
import { printPythonModules, QUICKTYPE_OPTIONS } from "../python/module.js";
import { moduleName } from "../python/names.js";
import { printPackageFiles } from "../python/package-files.js";
import { copyRuntime, RUNTIME } from "../python/runtime.js";
import type { Target } from "../target.js";
import { readManifest } from "../target.js";

const PACKAGE = "generated/python/rollout_wire";

const GENERATOR: Generator = {
  name: `rollout-wire on quicktype-core ${readManifest("quicktype-core").version}`,
  version: readManifest().version,
  options: QUICKTYPE_OPTIONS,
};

export const python: Target = {
  id: "python",
  purpose: "the Python package: frozen dataclasses that check what they read",
  isForWire: true,
  async generate(input) {
    const model = createPythonModel(input);
    const modules = input.schemas.map((schema) => ({
      model,
      schemaName: schema.name,
      header: headerLines(GENERATOR, [schema]),
      runtime: input.runtime,
    }));
    const sources = await printPythonModules(model, modules);
    return [
      ...[...sources].map(([name, text]) => ({ path: `${PACKAGE}/${moduleName(name)}.py`, text })),
      ...printPackageFiles(PACKAGE, input, model),
      ...copyRuntime(RUNTIME, PACKAGE, input.runtime),
    ];
  },
};
