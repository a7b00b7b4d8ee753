import { PydanticModule } from "../pydantic/module.js";
import { createPythonModel, type PythonModel } from "../python/model.js";
import { moduleName } from "../python/names.js";
import { printPackageInit } from "../python/package-files.js";
import { copyRuntime, MODEL_RUNTIME } from "../python/runtime.js";
import type { CodegenInput, Target } from "../target.js";

export const pydantic: Target = {
  id: "pydantic",
  purpose: "pydantic models of the same records, for the extra `pydantic` of the Python package",
  isForWire: true,
  async generate(input) {
    const model = createPythonModel(input);
    const files = [
      ...input.schemas.map((schema) => ({
        path: `${input.folder}/${moduleName(schema.name)}.py`,
        text: new PydanticModule(model, schema).print(),
      })),
      { path: `${input.folder}/__init__.py`, text: printInit(input, model) },
      { path: `${input.folder}/py.typed`, text: "" },
    ];
    return [...files, ...copyRuntime(MODEL_RUNTIME, input.folder, files)];
  },
};

function printInit(input: CodegenInput, model: PythonModel): string {
  return printPackageInit(input, model, {
    purpose:
      "The records of rollout_wire as pydantic models: the same fields and the same verdicts.",
    typing: "Mapping, Type",
    imports: ["from ._base import WireModel"],
    exported: ["WireModel"],
    definitions: ["WireModel", "Every model by the name of its definition in the JSON Schema."],
    more: [],
  });
}
