import type { MultiFileRenderResult, RenderContext, TargetLanguage } from "quicktype-core";
import { definitionNameKind, isClass, type PythonModel } from "./model.js";
import { fieldNames } from "./names.js";
import {
  getOptionValues,
  InputData,
  JSONSchemaInput,
  PythonTargetLanguage,
  pythonOptions,
  quicktypeMultiFile,
} from "./quicktype.js";
import { type PythonModule, WirePythonRenderer } from "./renderer.js";

export const QUICKTYPE_OPTIONS = { indentation: "    ", combineClasses: false } as const;

/**
 * The sources of the modules of the Python package, by schema name. Quicktype's graph covers the whole model,
 * whichever module is printed, so it is created once.
 */
export async function printPythonModules(
  model: PythonModel,
  modules: readonly PythonModule[],
): Promise<ReadonlyMap<string, string>> {
  const input = new JSONSchemaInput(undefined, [
    (_schema, { definitionName }) => {
      const definition = model.get(definitionName ?? "");
      if (definition === undefined || !isClass(definition)) return undefined;
      return { forType: definitionNameKind.makeAttributes(definition.name) };
    },
  ]);
  await input.addSource({
    name: "definitions",
    schema: JSON.stringify({ definitions: graphDefinitions(model) }),
    uris: ["#/definitions/"],
  });
  const inputData = new InputData();
  inputData.addInput(input);
  const printed = await quicktypeMultiFile({
    inputData,
    lang: new WirePythonPackage(modules),
    ...QUICKTYPE_OPTIONS,
  });
  return new Map([...printed].map(([name, { lines }]) => [name, `${lines.join("\n").trim()}\n`]));
}

/** All modules of one graph, as one "language" with many files. */
class WirePythonPackage extends PythonTargetLanguage {
  readonly #modules: readonly PythonModule[];

  constructor(modules: readonly PythonModule[]) {
    super();
    this.#modules = modules;
  }

  override renderGraphAndSerialize(
    ...args: Parameters<TargetLanguage["renderGraphAndSerialize"]>
  ): MultiFileRenderResult {
    return new Map(
      this.#modules.flatMap((module) => {
        const printed = new WirePythonLanguage(module).renderGraphAndSerialize(...args);
        return [...printed.values()].map((result) => [module.schema.name, result] as const);
      }),
    );
  }
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
function graphDefinitions(model: PythonModel): Record<string, unknown> {
  const classes = [...model.values()].filter(isClass).map(({ name, node }) => {
    const fields = fieldNames(Object.keys(node.properties ?? {}), model).map((field) => [
      field,
      {},
    ]);
    return [name, { type: "object", properties: Object.fromEntries(fields) }];
  });
  return Object.fromEntries(classes);
}
