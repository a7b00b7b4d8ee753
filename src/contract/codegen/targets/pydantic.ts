import { headerLines, ownGenerator } from "../file-header.js";
import { PydanticModule } from "../pydantic/module.js";
import { createPythonModel, type PythonModel } from "../python/model.js";
import { docstring, moduleName } from "../python/names.js";
import { printPackageInit } from "../python/package-files.js";
import { copyRuntime, importedAs, MODEL_RUNTIME, RUNTIME } from "../python/runtime.js";
import type { CodegenInput, RuntimePlace, Target } from "../target.js";

const PACKAGE = "generated/python/rollout_wire_pydantic";
/** The package of the same records as dataclasses. */
const DATACLASSES = "rollout_wire";

export const pydantic: Target = {
  id: "pydantic",
  purpose: "pydantic models of the same records, for the extra `pydantic` of the Python package",
  isForWire: true,
  async generate(input) {
    const model = createPythonModel(input);
    return [
      ...input.schemas.map((schema) => ({
        path: `${PACKAGE}/${moduleName(schema.name)}.py`,
        text: new PydanticModule(model, schema, input.runtime).print(),
      })),
      { path: `${PACKAGE}/__init__.py`, text: printInit(input, model) },
      { path: `${PACKAGE}/_base.py`, text: printBase(input.runtime) },
      { path: `${PACKAGE}/py.typed`, text: "" },
      ...copyRuntime(MODEL_RUNTIME, PACKAGE, input.runtime, {
        [RUNTIME]: `${DATACLASSES}.${RUNTIME}`,
      }),
    ];
  },
};

/** The base class of the models knows the dataclasses of the same package. */
function printBase(place: RuntimePlace): string {
  return [
    ...headerLines(ownGenerator(), []).map((line) => `# ${line}`),
    "",
    "from __future__ import annotations",
    "",
    "from typing import ClassVar, Mapping, Type",
    "",
    `from ${DATACLASSES} import DEFINITIONS, Record`,
    `from ${importedAs(MODEL_RUNTIME, place)} import WireModel as _WireModel`,
    "",
    "",
    "class WireModel(_WireModel):",
    `    ${docstring("Base of all models of this package.")}`,
    "",
    "    _record_types: ClassVar[Mapping[str, Type[Record]]] = DEFINITIONS",
    "",
  ].join("\n");
}

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
