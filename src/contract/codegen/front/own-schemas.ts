import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toReadError } from "../../../base/files/source.js";
import { FileFault, throwFaults } from "../../../base/findings/finding.js";
import { isJsonObject } from "../../../base/json/value.js";
import { UserError } from "../../../base/user-error.js";
import { readJsonFile } from "../../schemas/read-json-file.js";
import { REGISTRY_FILE } from "../../schemas/registry-file.js";
import { type LinkedSchemas, linkFiles } from "./link-files.js";
import { keepWire } from "./link-plan.js";
import type { SchemaFile } from "./parse-files.js";

/**
 * Links every `schema/*.schema.json` below `root`, sorted by name, as our registry lists them. `format` is an assertion.
 * Throws UserError if there is no schema, or one cannot be read.
 */
export function linkOwnSchemas(root: string): LinkedSchemas {
  return linkFiles(listOwnFiles(root), { formats: "assert" });
}

/** The same; throws FileFault with all faults. `isForWire`: only those of tier "wire". */
export function readOwnSchemas(
  root: string,
  { isForWire = false }: { readonly isForWire?: boolean } = {},
): LinkedSchemas {
  const linked = linkOwnSchemas(root);
  throwFaults(linked.faults);
  return isForWire ? { ...linked, ...keepWire(linked) } : linked;
}

function listOwnFiles(root: string): SchemaFile[] {
  const folder = join(root, "schema");
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".schema.json"))
    .map((entry) => entry.name)
    .sort();
  if (names.length === 0) throw new UserError(`${folder} contains no *.schema.json`);
  const tools = listTools(root);
  return names.map((name) => {
    const path = `schema/${name}`;
    return { path, bytes: readBytes(root, path), tier: tools.includes(path) ? "tool" : "wire" };
  });
}

function readBytes(root: string, path: string): Buffer {
  try {
    return readFileSync(join(root, path));
  } catch (cause) {
    throw toReadError(path, cause);
  }
}

/** The files of tier "tool". None if the registry cannot be read: whoever needs it says so. */
function listTools(root: string): unknown[] {
  try {
    const { schemas } = readJsonFile(root, REGISTRY_FILE).value;
    const entries: unknown[] = Array.isArray(schemas) ? schemas : [];
    return entries
      .filter(isJsonObject)
      .flatMap(({ tier, file }) => (tier === "tool" ? [file] : []));
  } catch (error) {
    if (error instanceof UserError || error instanceof FileFault) return [];
    throw error;
  }
}
