import { leavesFirst } from "../definitions.js";
import { pythonHeader } from "../file-header.js";
import { PydanticModule } from "../pydantic/module.js";
import { createPythonModel } from "../python/build-model.js";
import type { PythonModel } from "../python/model.js";
import { moduleName } from "../python/names.js";
import { printPackageInit } from "../python/package-files.js";
import { copyRuntime, dataclassesOf, MODEL_RUNTIME, packageNameOf } from "../python/runtime.js";
import type { CodegenInput, Target } from "../target.js";

export const pydantic: Target = {
  id: "pydantic",
  purpose: "pydantic models of the same records, for the extra `pydantic` of the Python package",
  isForWire: true,
  async generate(input) {
    const model = createPythonModel(input);
    const ordered = leavesFirst(model);
    const dataclasses = packageNameOf(dataclassesOf(input.folder, input.outputs));
    const files = [
      ...input.schemas.map((schema) => {
        const header = pythonHeader({ ...input, schemas: [schema] });
        return {
          path: `${input.folder}/${moduleName(schema.name)}.py`,
          text: new PydanticModule(model, ordered, schema, dataclasses, header).print(),
        };
      }),
      { path: `${input.folder}/__init__.py`, text: printInit(input, model, dataclasses) },
      { path: `${input.folder}/py.typed`, text: "" },
    ];
    return [...files, ...copyRuntime(MODEL_RUNTIME, input.folder, files, dataclasses)];
  },
};

function printInit(input: CodegenInput, model: PythonModel, dataclasses: string): string {
  return printPackageInit(input, model, {
    purpose: `The records of ${dataclasses} as pydantic models: the same fields and the same verdicts.`,
    typing: "Mapping, Type",
    imports: ["from ._base import WireModel"],
    exported: ["WireModel"],
    definitions: ["WireModel", "Every model by the name of its definition in the JSON Schema."],
    readerModule: "_base",
    more: [],
  });
}
