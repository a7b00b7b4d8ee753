import { mkdir, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { outputKinds } from "../../export/output-kinds.js";
import { targets } from "../../export/targets/index.js";
import type { OutputKind } from "../../export/targets/target.js";
import { toWriteError } from "../../records/to-write-error.js";
import { resolveOutputs } from "../rollouts/resolve-outputs.js";
import type { ExportRequest } from "./export-files.js";

/** A file that is going to be written. */
export interface PlannedFile {
  /** As the user named it. */
  readonly name: string;
  /** Absolute, through symbolic links. */
  readonly path: string;
}

/** All files of an export. */
export interface PlannedFiles {
  /** Files of records, in the order of the target's kinds. */
  readonly outputs: readonly (PlannedFile & { readonly kind: OutputKind })[];
  readonly rejects: PlannedFile | undefined;
  readonly report: PlannedFile | undefined;
  /** The dataset folder with the files that describe it; undefined when there is none. */
  readonly dataset: { readonly card: PlannedFile; readonly manifest: PlannedFile } | undefined;
  /** Removes those of the folders made for the files that stayed empty. */
  removeEmptyFolders(): Promise<void>;
}

/** The one file of a kind in a dataset folder, as the `datasets` package names shards. */
export function shardName(kind: OutputKind): string {
  return `${kind}/train-00000-of-00001.jsonl`;
}

/**
 * Where an export writes; makes the folders of a dataset. Throws UserError: exit 2 for an output that
 * is also an input or another output, or no place for a file; exit 3 when a folder cannot be made.
 */
export async function planFiles(
  request: ExportRequest,
  inputs: readonly string[],
  cwd: string,
): Promise<PlannedFiles> {
  const { destination, rejects, report } = request;
  const kinds = outputKinds(targets[request.target]);
  const folder = "folder" in destination ? destination.folder : undefined;
  const nameOf = (kind: OutputKind): string =>
    "folder" in destination ? join(destination.folder, shardName(kind)) : destination[kind];
  const described = folder === undefined ? [] : ["README.md", "manifest.json"];
  const names = [
    ...kinds.map(nameOf),
    ...described.map((name) => join(folder ?? "", name)),
    ...[rejects, report].filter((name) => name !== undefined),
  ];
  const folders = folder === undefined ? [] : names.map((name) => dirname(resolve(cwd, name)));
  const removeEmptyFolders = await makeFolders(folders.slice(0, kinds.length + described.length));
  try {
    const paths = await resolveOutputs(names, inputs, cwd);
    const planned = names.map((name, index) => ({ name, path: paths[index] ?? "" }));
    const take = (wanted: boolean): PlannedFile | undefined =>
      wanted ? planned.shift() : undefined;
    const outputs = kinds.flatMap((kind) =>
      planned.splice(0, 1).map((file) => ({ kind, ...file })),
    );
    const card = take(folder !== undefined);
    const manifest = take(folder !== undefined);
    return {
      outputs,
      dataset: card && manifest && { card, manifest },
      rejects: take(rejects !== undefined),
      report: take(report !== undefined),
      removeEmptyFolders,
    };
  } catch (error) {
    await removeEmptyFolders();
    throw error;
  }
}

/** Makes folders; gives what removes those of them that did not exist before and are empty. */
async function makeFolders(folders: readonly string[]): Promise<() => Promise<void>> {
  const made = new Set<string>();
  for (const folder of folders) {
    try {
      const first = await mkdir(folder, { recursive: true });
      if (first === undefined) continue;
      made.add(first);
      made.add(folder);
    } catch (error) {
      throw toWriteError(folder, error);
    }
  }
  // The longest first: a folder is empty once those in it are gone.
  const deepestFirst = [...made].toSorted((a, b) => b.length - a.length);
  return async () => {
    for (const folder of deepestFirst) await rmdir(folder).catch(() => {});
  };
}
