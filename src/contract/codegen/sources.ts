import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { dirname } from "node:path/posix";
import type { Registry } from "#generated/index.js";
import { expandInputs, toSlashes } from "../../base/files/inputs.js";
import { type FaultPlace, throwFaults } from "../../base/findings/finding.js";
import { toRegistry } from "../schemas/foreign-registry.js";
import { readJsonFile } from "../schemas/read-json-file.js";
import { type GenerationPlan, readUnchecked } from "./plan.js";

/** The schema files of a run, and what registries say of them. */
export interface Sources {
  /** Paths from the root, each once. */
  readonly files: readonly string[];
  /** Without entries if no source is a registry. */
  readonly registry: Registry;
  /** Whether it is in our form, which says what a line of a file may be. */
  readonly isOurs: boolean;
  /** Files that no registry lists, although there is one. */
  readonly unregistered: readonly string[];
}

/**
 * Finds the schema files of a plan. Throws UserError (exit 3) as `expandInputs` does, as `readJsonFile` does for a
 * registry, and FileFault (`registry`) for one that is invalid, or that lists a file that is not there.
 */
export async function findSources({ root, sources }: GenerationPlan): Promise<Sources> {
  const found = await expandInputs(sources, { cwd: root }, { patterns: ["**/*.schema.json"] });
  const registries = found.map(toSlashes).map((file) => readAsRegistry(root, file));
  const files = new Set<string>();
  for (const [index, file] of found.map(toSlashes).entries()) {
    const listed = registries[index]?.registry.schemas.map((entry) => entry.file) ?? [file];
    for (const each of listed) files.add(each);
  }
  const [{ registry, isOurs } = {}] = registries.filter((each) => each !== undefined);
  const registered = new Set(registry?.schemas.map(({ file }) => file));
  const unregistered = registry && [...files].filter((file) => !registered.has(file));
  return {
    files: [...files].sort(),
    registry: registry ?? { schemas: [] },
    isOurs: isOurs === true,
    unregistered: unregistered ?? [],
  };
}

/** A file that lists schemas, ours or in another owner's form, with paths from the root; undefined for a schema. */
function readAsRegistry(
  root: string,
  file: string,
): Pick<Sources, "registry" | "isOurs"> | undefined {
  const { value } = readJsonFile(root, file);
  if (!Array.isArray(value.schemas)) return undefined;
  const foreign = toRegistry(value);
  const registry =
    foreign ?? readUnchecked<Registry>(root, file, { schema: "registry", type: "Registry" });
  const folder = findFolder(root, file, registry);
  const schemas = registry.schemas.map((entry) => {
    return { ...entry, file: [folder, entry.file].filter((part) => part !== "").join("/") };
  });
  const missing = schemas.flatMap(({ file: path, name }, index): FaultPlace[] => {
    if (existsSync(resolve(root, path))) return [];
    const message = `${path}, which is ${name}, is not there`;
    return [{ id: "registry", file, pointer: `/schemas/${index}`, message }];
  });
  throwFaults(missing);
  return { registry: { ...registry, schemas }, isOurs: foreign === undefined };
}

/** The folder, the registry's own or one above, from which it names most of its files; "" is the root. */
function findFolder(root: string, file: string, { schemas }: Registry): string {
  const parts = dirname(file) === "." ? [] : dirname(file).split("/");
  const folders = [...parts.keys()].map((at) => parts.slice(0, parts.length - at).join("/"));
  const counted = [...folders, ""].map((folder) => {
    const isThere = (path: string): boolean => existsSync(join(root, folder, path));
    return { folder, count: schemas.filter((entry) => isThere(entry.file)).length };
  });
  const most = Math.max(...counted.map(({ count }) => count));
  return counted.find(({ count }) => count === most && count > 0)?.folder ?? "";
}
