import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Output, Registry, TargetName } from "#generated/index.js";
import { FileFault } from "../../base/findings/finding.js";
import { describeError } from "../../base/json/schema-error.js";
import { packageRoot } from "../../base/package.js";
import type { Definitions } from "../schemas/definitions.js";
import type { SourceSchema } from "../schemas/load.js";
import { readJsonFile } from "../schemas/read-json-file.js";
import { REGISTRY_FILE } from "../schemas/registry-file.js";

/** The input of every target. */
export interface CodegenInput {
  /** The repository's root. */
  readonly root: string;
  /** Folder of the files that are printed, from the root, with forward slashes. The last part names a Python package. */
  readonly folder: string;
  /** All outputs of the run, this one among them: what lies beside it, and the package that it imports. */
  readonly outputs: readonly Output[];
  /** Of both tiers, unless the target is for wire schemas alone. */
  readonly schemas: readonly SourceSchema[];
  /** The definitions of these schemas, limited to the profile: see profile.ts. */
  readonly definitions: Definitions;
  readonly registry: Registry;
}

/** Whether another target is printed into the folder of this one. */
export function isBeside({ folder, outputs }: CodegenInput, target: TargetName): boolean {
  return outputs.some((output) => output.target === target && output.folder === folder);
}

export interface GeneratedFile {
  /** Path from the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** One kind of generated code. To add one, create a file in `targets/` and register it in its index. */
export interface Target {
  readonly id: string;
  readonly purpose: string;
  /** Whether it is given the schemas of tier "wire" alone, and nothing to do if there is none. */
  readonly isForWire?: boolean;
  /** Prints all files of this kind. The same input gives the same bytes on every machine. */
  generate(input: CodegenInput): Promise<GeneratedFile[]>;
}

/**
 * The registry below `root`, validated against its schema there, because the generated validators may not
 * exist yet. Throws as `readJsonFile` does, and FileFault (`registry`) if it is invalid.
 */
export function readUncheckedRegistry(root: string, schemas: readonly SourceSchema[]): Registry {
  const value: unknown = readJsonFile(root, REGISTRY_FILE).value;
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addFormats.default(ajv);
  for (const { document } of schemas) ajv.addSchema(document);
  const $ref = schemas.find(({ name }) => name === "registry")?.id;
  if ($ref === undefined) {
    const message = "is described by registry.schema.json, which is not in the folder";
    throw new FileFault({ id: "registry", file: REGISTRY_FILE, message });
  }
  const isRegistry = ajv.compile<Registry>({ $ref });
  if (isRegistry(value)) return value;
  const [error] = isRegistry.errors ?? [];
  const { instancePath: pointer = "", message = "" } = error ?? {};
  const said = error === undefined ? message : describeError({ ...error, pointer, message }, value);
  throw new FileFault({ id: "registry", file: REGISTRY_FILE, pointer, message: said });
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** The package.json of this project, or of one of its dependencies. */
export function readManifest(dependency?: string): Manifest {
  const root = packageRoot();
  const folder = dependency === undefined ? root : join(root, "node_modules", dependency);
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
