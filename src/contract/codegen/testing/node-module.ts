import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ValidationError } from "#generated/index.js";
import type { Definition, SourceSchema } from "../../schemas/definitions.js";
import type { SchemaNode } from "../../schemas/nodes.js";
import type { CodegenInput, Target } from "../target.js";
import { typescriptTypes } from "../targets/typescript-types.js";
import { typescriptValidators } from "../targets/typescript-validators.js";

/** What is generated for some definitions, in a folder of its own. */
export class NodeModule {
  readonly folder = mkdtempSync(join(tmpdir(), "rollout-wire-nodes-"));
  #module: Readonly<Record<string, unknown>> = {};

  /** Prints, writes and loads the validators. */
  static async load(nodes: Readonly<Record<string, SchemaNode>>): Promise<NodeModule> {
    const module = new NodeModule();
    const input = toInput(nodes);
    await module.#print(typescriptValidators, input);
    module.#module = await import(pathToFileURL(join(module.folder, "out/validators.js")).href);
    return module;
  }

  /** Prints and writes the types. */
  async writeTypes(nodes: Readonly<Record<string, SchemaNode>>): Promise<void> {
    await this.#print(typescriptTypes, toInput(nodes));
  }

  async #print(target: Target, input: CodegenInput): Promise<void> {
    for (const { path, text } of await target.generate(input)) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true });
      writeFileSync(join(this.folder, path), text);
    }
  }

  is(name: string, value: unknown): boolean {
    const guard = this.#module[`is${name}`];
    if (typeof guard !== "function") throw new Error(`there is no guard of ${name}`);
    return guard(value);
  }

  findErrors(name: string, value: unknown): readonly ValidationError[] {
    const { findErrors } = this.#module;
    if (typeof findErrors !== "function") throw new Error("there is no function findErrors");
    return findErrors(name, value);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The input of targets for definitions of one wire schema, `nodes`. */
export function toInput(nodes: Readonly<Record<string, SchemaNode>>): CodegenInput {
  const schema: SourceSchema = {
    ...{ file: "nodes.schema.json", name: "nodes", id: "urn:nodes", canonicalHash: "" },
    ...{ document: {}, entryTypes: [], tier: "wire" },
  };
  const definitions = new Map(
    Object.entries(nodes).map(([name, node]): [string, Definition] => [
      name,
      { name, schema, pointer: "", node },
    ]),
  );
  return {
    ...{ root: "", folder: "out", outputs: [], schemas: [schema], definitions },
    formats: "annotate",
    registry: { schemas: [] },
  };
}
