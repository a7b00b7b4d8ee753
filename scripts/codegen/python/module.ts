import {
  getOptionValues,
  InputData,
  JSONSchemaInput,
  PythonTargetLanguage,
  pythonOptions,
  quicktype,
  type RenderContext,
} from "quicktype-core";
import { definitionNameKind, isClass } from "./model.js";
import { type PythonModule, WirePythonRenderer } from "./renderer.js";

export const QUICKTYPE_OPTIONS = { indentation: "    ", combineClasses: false } as const;

/** The source of one module of the Python package. */
export async function printPythonModule(module: PythonModule): Promise<string> {
  const input = new JSONSchemaInput(undefined, [
    (_schema, { definitionName }) => {
      const definition = module.model.get(definitionName ?? "");
      if (definition === undefined || !isClass(definition)) return undefined;
      return { forType: definitionNameKind.makeAttributes(definition.name) };
    },
  ]);
  await input.addSource({
    name: "definitions",
    schema: JSON.stringify({ definitions: graphDefinitions(module) }),
    uris: ["#/definitions/"],
  });
  const inputData = new InputData();
  inputData.addInput(input);
  const { lines } = await quicktype({
    inputData,
    lang: new WirePythonLanguage(module),
    ...QUICKTYPE_OPTIONS,
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

/** The model as one document in the spelling of draft 7, which is what quicktype reads best. */
function graphDefinitions({ model }: PythonModule): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(
      Object.fromEntries([...model].map(([name, { node }]) => [name, node])),
      (key, value) => (key === "$ref" ? `#/definitions/${value}` : value),
    ),
  );
}
