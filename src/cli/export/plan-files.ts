import { dirname, join, resolve } from "node:path";
import { targets } from "../../export/targets/index.js";
import { type OutputKind, outputKinds } from "../../export/targets/target.js";
import { makeFolders } from "../../files/folders.js";
import { resolveOutputs } from "../../files/outputs.js";
import { CARD, claimDatasetFolder, MANIFEST, shardName } from "./dataset-folder.js";
import type { ExportRequest } from "./request.js";

/** A file to be written. */
interface PlannedFile {
  /** The name that the user gave. */
  readonly name: string;
  /** Absolute path, with symbolic links resolved. */
  readonly path: string;
}

/** The files of a dataset folder other than records. */
export interface DatasetFiles {
  readonly card: PlannedFile;
  readonly manifest: PlannedFile;
  /** The description for the trainer; undefined if the target has none. */
  readonly description: PlannedFile | undefined;
  /** Absolute paths of files from an earlier export that this one does not write. */
  readonly stale: readonly string[];
}

export interface PlannedFiles {
  /** Files of records, in the order of the target's kinds. */
  readonly outputs: readonly (PlannedFile & { readonly kind: OutputKind })[];
  readonly rejects: PlannedFile | undefined;
  readonly report: PlannedFile | undefined;
  /** The files that describe a dataset folder; undefined if the destination is not a folder. */
  readonly dataset: DatasetFiles | undefined;
  /** Removes folders that were created for the files and are still empty. */
  removeEmptyFolders(): void;
}

/**
 * Plans where an export writes, and creates the folders of a dataset. Throws UserError: exit 2 if an output is
 * also an input or another output, or cannot be a file; exit 3 if a folder cannot be created.
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
  const description = targets[request.target].describeDataset?.({}).name;
  const described =
    folder === undefined
      ? []
      : [CARD, MANIFEST, ...(description === undefined ? [] : [description])];
  const inFolder = [...kinds.map(shardName), ...described];
  const stale = folder === undefined ? [] : await claimDatasetFolder(folder, inFolder, cwd);
  const names = [
    ...kinds.map(nameOf),
    ...described.map((name) => join(folder ?? "", name)),
    ...[rejects, report].filter((name) => name !== undefined),
  ];
  const folders = folder === undefined ? [] : names.map((name) => dirname(resolve(cwd, name)));
  const made = makeFolders(folders.slice(0, kinds.length + described.length));
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
    const descriptionFile = take(folder !== undefined && description !== undefined);
    return {
      outputs,
      dataset: card &&
        manifest && {
          card,
          manifest,
          description: descriptionFile,
          stale: stale.map((name) => resolve(cwd, folder ?? "", name)),
        },
      rejects: take(rejects !== undefined),
      report: take(report !== undefined),
      removeEmptyFolders: made.removeEmpty,
    };
  } catch (error) {
    made.removeEmpty();
    throw error;
  }
}
