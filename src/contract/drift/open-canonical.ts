import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { RegisteredSchema, Registry } from "#generated/index.js";
import { toSlashes } from "../../base/files/inputs.js";
import { createFinding, FileFault, type Finding, toFindings } from "../../base/findings/finding.js";
import { OWN_NAME, packageRoot } from "../../base/package.js";
import { escapeControls } from "../../base/text.js";
import { UserError } from "../../base/user-error.js";
import { parseSchema } from "../compat/schema/parse-schema.js";
import { readJsonFile } from "../schemas/read-json-file.js";
import { readRegistry } from "../schemas/registry.js";
import { REGISTRY_FILE } from "../schemas/registry-file.js";
import { readReleasedHashes } from "../schemas/releases.js";
import { Canonical, PUBLISHED_FILE, readConfigured } from "./canonical.js";
import { findEdited } from "./published.js";

/**
 * Opens the registry that the user named with `--registry`; else `own`, by default the one that the configuration in this
 * folder names; else that of this package. Its files are named from the nearest folder, its own or one above, that has
 * most of them. Throws UserError (exit 3) if it, or all of its schemas, cannot be read. Schemas that cannot be read, that
 * refer to themselves endlessly, or that were published and have changed since are its `faults`.
 */
export function openCanonical(
  named: string | undefined,
  cwd: string,
  own: string | undefined = readConfigured(cwd)?.registry,
): Canonical {
  const shown = named ?? own ?? relative(cwd, join(packageRoot(), REGISTRY_FILE));
  const path = resolve(cwd, shown);
  const folder = dirname(path);
  const registry = read(folder, () => readRegistry(folder, basename(path)));
  if (registry.schemas.length === 0) throw new UserError(`${shown}: registers no schema`);
  const root = findRoot(folder, registry, shown);
  const text = readFileSync(path, "utf8");
  const recorded = read(root, () => readReleasedHashes(root));
  const published = new Map<string, string>();
  const schemas: RegisteredSchema[] = [];
  const toFault = (id: string, pointer: string, message: string): Finding =>
    createFinding({ id, file: shown, pointer, message, source: text });
  const faults: Finding[] = [];
  for (const [index, entry] of registry.schemas.entries()) {
    try {
      const $id = readSchemaFiles(root, entry);
      schemas.push({ ...entry, id: entry.id || $id || entry.name });
      for (const { at, file, message, hash } of findEdited(root, entry, recorded)) {
        faults.push(toFault("released-changed", `/schemas/${index}/released/${at}`, message));
        if (hash !== undefined) published.set(file, hash);
      }
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      faults.push(toFault("registry", `/schemas/${index}`, error.message));
    }
  }
  const [first] = faults;
  if (schemas.length === 0 && first !== undefined) {
    throw new UserError(`${first.file}:${first.line}:${first.column} ${first.message}`);
  }
  const isOwn = root === packageRoot();
  const canonical = new Canonical(root, {
    registry: { ...registry, schemas },
    name: isOwn ? OWN_NAME : (readConfigured(root)?.repository ?? basename(root)),
    isNamed: named !== undefined,
    faults,
    file: toSlashes(relative(root, path)),
    shown,
    published,
  });
  for (const { name } of canonical.formats()) {
    const newest = canonical.newest(name);
    try {
      if (newest !== undefined) canonical.load(name, newest);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const index = registry.schemas.findIndex((each) => each.name === name);
      faults.push(toFault("registry", `/schemas/${index}`, error.message));
    }
  }
  return canonical;
}

/** The folder, the registry's own or one above, that has most of the registered schemas. */
function findRoot(folder: string, { schemas }: Registry, shown: string): string {
  let best = { root: folder, count: 0 };
  for (const root of listParents(folder)) {
    const count = schemas.filter(({ file }) => file !== "" && existsSync(join(root, file))).length;
    if (count > best.count) best = { root, count };
  }
  if (best.count > 0) return best.root;
  throw new UserError(
    `${shown}: no folder above it has ${schemas[0]?.file}, which it registers: name the files from the root of the repository`,
  );
}

/** Reads the files of a schema; returns its `$id`. Throws UserError if one of them is no JSON object. */
function readSchemaFiles(root: string, { name, file, released }: RegisteredSchema): string {
  const unversioned = released.find((each) => !PUBLISHED_FILE.test(each));
  if (unversioned !== undefined) {
    throw new UserError(
      `${unversioned}, published of ${name}, must end in its version, such as v1.2.schema.json`,
    );
  }
  if (file === "") throw new UserError("has no path of its file");
  const [present] = [file, ...released].map((each) => {
    if (isAbsolute(each) || each.split("/").includes("..")) {
      throw new UserError(`${escapeControls(each)}: leads out of the repository`);
    }
    const found = read(root, () => readJsonFile(root, each));
    parseSchema(each, found.text);
    return found;
  });
  const $id = present?.value.$id;
  return typeof $id === "string" ? $id : "";
}

/** Gives the fault of a file its position, as one line. */
function read<T>(root: string, readFile: () => T): T {
  try {
    return readFile();
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const [finding] = toFindings(root, [error.place]);
    if (finding === undefined) throw error;
    const { file, line, column, pointer, message } = finding;
    const parts = [`${file}:${line}:${column}`, pointer, message].filter((part) => part !== "");
    throw new UserError(parts.join(" "));
  }
}

/** A folder and those above it, the nearest first. */
function listParents(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...listParents(above)];
}
