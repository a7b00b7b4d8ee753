import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isExportReport } from "#generated/index.js";
import { hashFile } from "../../../base/files/hash.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { targets } from "../../wire/export/targets/index.js";
import { OUTPUT_KINDS } from "../../wire/export/targets/target.js";
import { isShardName } from "./storage.js";

export const CARD = "README.md";
export const MANIFEST = "manifest.json";

/** Files that describe a dataset to the trainer of a target. */
const DESCRIPTIONS: readonly string[] = Object.values(targets).flatMap(
  (target) => target.describeDataset?.({}).name ?? [],
);

/**
 * Names in `folder` of the files that its former export wrote. This export may write those that `isWritten` accepts.
 *
 * Throws UserError (exit 2) when a file is in the way that no export wrote, or that has changed since: the
 * manifest must be an export report and list the file with its hash.
 */
export async function claimDatasetFolder(
  folder: string,
  isWritten: (name: string) => boolean,
  cwd: string,
): Promise<string[]> {
  const exists = (name: string): boolean =>
    lstatSync(resolve(cwd, folder, name), { throwIfNoEntry: false }) !== undefined;
  const listed = readManifest(resolve(cwd, folder, MANIFEST));
  if (listed === undefined && exists(MANIFEST)) throw refuse(folder, MANIFEST, NOT_OURS);
  const former: string[] = [];
  const names = [...listShards(resolve(cwd, folder)), CARD, ...DESCRIPTIONS];
  for (const name of names.filter(exists)) {
    const hash = listed?.get(name);
    if (hash === undefined) {
      if (isWritten(name)) throw refuse(folder, name, NOT_OURS);
      continue;
    }
    // One that cannot be read, or is no file, is none that an export wrote.
    const present = await hashFile(resolve(cwd, folder, name)).catch(() => undefined);
    if (present !== hash) throw refuse(folder, name, CHANGED);
    former.push(name);
  }
  return former;
}

/** Names of the files of records in a dataset folder, whoever wrote them. */
function listShards(folder: string): string[] {
  return OUTPUT_KINDS.flatMap((kind) => {
    try {
      return readdirSync(join(folder, kind)).map((name) => `${kind}/${name}`);
    } catch {
      // No export wrote records of this kind.
      return [];
    }
  }).filter(isShardName);
}

const NOT_OURS = "was not written by an export";
const CHANGED = "has changed since an export wrote it";

function refuse(folder: string, name: string, problem: string): UserError {
  const place = `output ${join(folder, name)}`;
  return new UserError(`${place}: ${problem}: move it away, or choose another folder`, EXIT.usage);
}

/** Hashes of the files that a manifest lists, by name; undefined if it is missing, or no export report. */
function readManifest(path: string): ReadonlyMap<string, string> | undefined {
  let manifest: unknown;
  // Reading a pipe would wait for its writer.
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  try {
    manifest = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
  if (!isExportReport(manifest)) return undefined;
  const { outputs, descriptions = [] } = manifest;
  return new Map([...outputs, ...descriptions].map(({ file, sha256 }) => [file, sha256]));
}
