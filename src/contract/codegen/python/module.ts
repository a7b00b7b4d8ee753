import type { RenderContext } from "quicktype-core";
import type { SourceSchema } from "../../schemas/definitions.js";
import { definitionNameKind, isClass, type PythonModel } from "./model.js";
import { fieldNames } from "./names.js";
import {
  getOptionValues,
  InputData,
  JSONSchemaInput,
  PythonTargetLanguage,
  pythonOptions,
  quicktype,
} from "./quicktype.js";
import { type PythonModule, WirePythonRenderer } from "./renderer.js";

/**
 * The source of a module of the Python package. The graph has the classes of this module only: naming takes time for all of
 * them.
 */
export async function printPythonModule(module: PythonModule): Promise<string> {
  const { model, schema } = module;
  const input = new JSONSchemaInput(undefined, [
    (_schema, { definitionName }) => {
      const definition = model.get(definitionName ?? "");
      if (definition === undefined || !isClass(definition)) return undefined;
      return { forType: definitionNameKind.makeAttributes(definition.name) };
    },
  ]);
  await input.addSource({
    name: "definitions",
    schema: JSON.stringify({ definitions: graphDefinitions(model, schema) }),
    uris: ["#/definitions/"],
  });
  const inputData = new InputData();
  inputData.addInput(input);
  const lang = new WirePythonLanguage(module);
  const { lines } = await quicktype({
    inputData,
    lang,
    indentation: "    ",
    combineClasses: false,
  });
  return `${lines.join("\n").trim()}\n`;
}

class WirePythonLanguage extends PythonTargetLanguage {
  readonly #module: PythonModule;

  constructor(module: PythonModule) {
    super();
    this.#module = module;
  }

  protected override makeRenderer(context: RenderContext): WirePythonRenderer {
    return new WirePythonRenderer(this, context, getOptionValues(pythonOptions, {}), this.#module);
  }
}

/**
 * The classes as one draft 7 document, the dialect that quicktype supports best: fields under the names that they have in
 * Python, and nothing of their schemas.
 */
function graphDefinitions(model: PythonModel, schema: SourceSchema): Record<string, unknown> {
  const own = [...model.values()].filter((each) => each.schema.name === schema.name);
  const classes = own.filter(isClass).map(({ name, node }) => {
    const fields = fieldNames(Object.keys(node.properties ?? {}), model).map((field) => [
      field,
      {},
    ]);
    return [name, { type: "object", properties: Object.fromEntries(fields) }];
  });
  return Object.fromEntries(classes);
}
