import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { basename, dirname } from "node:path/posix";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Config, FormatUse, Output, TargetName } from "#generated/index.js";
import { FileFault } from "../../base/findings/finding.js";
import { explainAjvError } from "../../base/json/schema-error.js";
import { CONFIG_FILE, packageRoot } from "../../base/package.js";
import { EXIT, UserError } from "../../base/user-error.js";
import { commonUse, formatUseOf } from "../schemas/format-use.js";
import { readJsonFile } from "../schemas/read-json-file.js";
import { packageName } from "./python/names.js";

/** What a run of `generate` reads and prints. Paths are from the root, with forward slashes. */
export interface GenerationPlan {
  /** The repository's root, absolute. */
  readonly root: string;
  /** Files, globs and registries. */
  readonly sources: readonly string[];
  readonly formats: FormatUse;
  readonly outputs: readonly Output[];
  /**
   * Whether these are `all` outputs of a configuration, so that another generated file in their folders is out of date; or
   * `some` of them; or those of files that were `given` without a configuration.
   */
  readonly scope: "all" | "some" | "given";
}

/** What is printed without a configuration. */
export const DEFAULT_TARGETS: readonly TargetName[] = ["typescript", "validators", "python"];

/**
 * What the configuration in `root` says, limited to some targets. Undefined if there is none, or it names no schemas of
 * the repository. Throws as `readJsonFile` does, FileFault (`config`) if it is invalid, and UserError (exit 2) for a target
 * that it does not have.
 */
export function readPlan(root: string, chosen?: readonly string[]): GenerationPlan | undefined {
  if (!existsSync(join(root, CONFIG_FILE))) return undefined;
  const { schemas } = readUnchecked<Config>(root, CONFIG_FILE, {
    schema: "config",
    type: "Config",
  });
  if (schemas === undefined) return undefined;
  const { sources, formats = "annotate", outputs } = schemas;
  const kept = outputs.filter(({ target }) => chosen?.includes(target) ?? true);
  const absent = chosen?.find((name) => outputs.every(({ target }) => target !== name));
  if (absent !== undefined) {
    const known = [...new Set(outputs.map(({ target }) => target))].join(", ");
    throw new UserError(`--target ${absent}: ${CONFIG_FILE} has ${known}`, EXIT.usage);
  }
  const scope = kept.length === outputs.length ? "all" : "some";
  return { root, sources, formats, outputs: kept, scope };
}

/**
 * What to print of schema files into folders below `out`. A configuration only says whether `format` is asserted in them.
 * Models need their dataclasses.
 */
export function planFiles(
  root: string,
  sources: readonly string[],
  { out, targets }: { readonly out: string; readonly targets: readonly TargetName[] },
): GenerationPlan {
  const [first = "", ...others] = sources;
  // Of several files, the folder in which they lie names their package.
  const named = others.length === 0 ? first : dirname(join(root, first).replaceAll("\\", "/"));
  const name = packageName(basename(named).replace(/(\.schema)?\.json$/, ""));
  const folders: Readonly<Partial<Record<TargetName, string>>> = {
    python: `python/${name}`,
    pydantic: `python/${name}_pydantic`,
    reference: "reference",
  };
  const needed = targets.includes("pydantic") ? [...targets, "python" as const] : targets;
  const outputs = [...new Set(needed)].map((target) => {
    return { target, folder: `${out}/${folders[target] ?? "typescript"}`.replace(/^\.\//, "") };
  });
  const formats = commonUse(...sources.map((each) => formatUseOf(root, each)));
  return { root, sources, formats, outputs, scope: "given" };
}

interface Described {
  /** Name of the schema of this package that describes a file, and the type in it. */
  readonly schema: string;
  readonly type: string;
}

/**
 * Reads a file of this program below `root`, validated against the schema in this package, because generated validators
 * may not exist yet. Throws as `readJsonFile` does, and FileFault, whose id is the schema's name, if it is invalid.
 */
export function readUnchecked<T>(root: string, file: string, { schema, type }: Described): T {
  const value: unknown = readJsonFile(root, file).value;
  const ajv = new Ajv2020({ strict: false, validateSchema: false, verbose: true });
  addFormats.default(ajv);
  // That of the file, and those that it refers to.
  for (const name of new Set([schema, "registry", "export-report"])) {
    const path = join(packageRoot(), `schema/${name}.schema.json`);
    ajv.addSchema(JSON.parse(readFileSync(path, "utf8")), name);
  }
  const isValid = ajv.compile<T>({ $ref: `${schema}#/$defs/${type}` });
  if (isValid(value)) return value;
  const [error] = isValid.errors ?? [];
  const message = error === undefined ? "" : explainAjvError(error).message;
  throw new FileFault({ id: schema, file, pointer: error?.instancePath ?? "", message });
}
