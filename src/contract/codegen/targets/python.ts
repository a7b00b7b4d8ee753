import { pythonHeader } from "../file-header.js";
import { createPythonModel } from "../python/build-model.js";
import { printPythonModule } from "../python/module.js";
import { moduleName } from "../python/names.js";
import { majorsOf, printPackageFiles } from "../python/package-files.js";
import { copyRuntime, RUNTIME } from "../python/runtime.js";
import type { Target } from "../target.js";

export const python: Target = {
  id: "python",
  purpose:
    "the Python package: frozen dataclasses that check what they read, with all that they import",
  isForWire: true,
  async generate(input) {
    const model = createPythonModel(input);
    const majors = majorsOf(input);
    const sources = input.schemas.map(async (schema) => {
      const header = pythonHeader({ ...input, schemas: [schema] }, "quicktype-core");
      const text = await printPythonModule({ model, schema, header, majors });
      return { path: `${input.folder}/${moduleName(schema.name)}.py`, text };
    });
    const files = [
      ...(await Promise.all(sources)),
      ...printPackageFiles(input.folder, input, model),
    ];
    return [...files, ...copyRuntime(RUNTIME, input.folder, files)];
  },
};
