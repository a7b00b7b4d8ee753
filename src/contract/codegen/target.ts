import { readFileSync } from "node:fs";
import { join } from "node:path";
import typescriptPrinter from "json-schema-to-typescript/package.json" with { type: "json" };
import quicktype from "quicktype-core/package.json" with { type: "json" };
import type { FormatUse, Output, Registry, TargetName } from "#generated/index.js";
import { packageRoot } from "../../base/package.js";
import type { Definitions, SourceSchema } from "../schemas/definitions.js";

/** The input of every target. */
export interface CodegenInput {
  /** The repository's root. */
  readonly root: string;
  /** Folder of the files that are printed, from the root, with forward slashes. The last part names a Python package. */
  readonly folder: string;
  /** All outputs of the run, this one among them: what lies beside it, and the package that it imports. */
  readonly outputs: readonly Output[];
  /** What the keyword `format` does. */
  readonly formats: FormatUse;
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
  /** Written by people, but for what is printed into it. */
  readonly isUpdate?: boolean;
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

export interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** The packages that print. The program holds them, and what it needs of their package.json. */
const PRINTERS: readonly Manifest[] = [quicktype, typescriptPrinter];

/** The package.json of this project, or of a package that prints. */
export function readManifest(printer?: string): Manifest {
  const manifest = PRINTERS.find(({ name }) => name === printer);
  return manifest ?? JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8"));
}
