import { headerLines, ownGenerator } from "../file-header.js";
import { PydanticModule } from "../pydantic/module.js";
import { createPythonModel, isClass, type PythonModel } from "../python/model.js";
import { docstring, moduleName } from "../python/names.js";
import { readRuntime } from "../python/runtime-files.js";
import type { CodegenInput, Target } from "../target.js";

const PACKAGE = "generated/python/rollout_wire_pydantic";
const RUNTIME = "integrations/python/rollout_wire_pydantic";

export const pydantic: Target = {
  id: "pydantic",
  purpose: "pydantic models of the same records, for the extra `pydantic` of the Python package",
  isForWire: true,
  async generate(input) {
    const model = createPythonModel(input);
    return [
      ...input.schemas.map((schema) => ({
        path: `${PACKAGE}/${moduleName(schema.name)}.py`,
        text: new PydanticModule(model, schema).print(),
      })),
      { path: `${PACKAGE}/__init__.py`, text: printInit(input, model) },
      { path: `${PACKAGE}/py.typed`, text: "" },
      ...readRuntime(RUNTIME, PACKAGE),
    ];
  },
};

function printInit(input: CodegenInput, model: PythonModel): string {
  const namesOf = (schemaName: string): string[] =>
    [...model.values()]
      .filter(({ schema }) => schema.name === schemaName)
      .map(({ name }) => name)
      .sort();
  const exported = [
    "DEFINITIONS",
    "WireModel",
    ...input.schemas.flatMap(({ name }) => namesOf(name)),
  ].sort();
  const classes = [...model.values()].filter(isClass).map(({ name }) => name);
  return [
    ...headerLines(ownGenerator(), input.schemas).map((line) => `# ${line}`),
    "",
    docstring(
      "The records of rollout_wire as pydantic models: the same fields and the same verdicts.",
    ),
    "",
    "from __future__ import annotations",
    "",
    "from typing import Mapping, Type",
    "",
    "from ._model import WireModel",
    ...input.schemas.map(
      ({ name }) =>
        `from .${moduleName(name)} import (\n${namesOf(name)
          .map((each) => `    ${each},\n`)
          .join("")})`,
    ),
    "",
    `__all__ = [\n${exported.map((name) => `    "${name}",\n`).join("")}]`,
    "",
    "DEFINITIONS: Mapping[str, Type[WireModel]] = {",
    ...classes.map((name) => `    "${name}": ${name},`),
    "}",
    docstring("Every model by the name of its definition in the JSON Schema."),
    "",
  ].join("\n");
}
