import { realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { resolveOutputs } from "../../../base/files/outputs.js";
import { STDIN } from "../../../base/files/source.js";
import type { FileStaging } from "../../../base/files/staging.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { targets } from "../../wire/export/targets/index.js";
import { OUTPUT_KINDS, type OutputKind, outputKinds } from "../../wire/export/targets/target.js";
import { CARD, claimDatasetFolder, MANIFEST } from "./dataset-folder.js";
import type { ExportRequest } from "./request.js";
import { mayBeShard, PLAIN, shardName } from "./storage.js";

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
  /** Absolute paths of the files of an earlier export. Those that this one does not write are removed. */
  readonly former: readonly string[];
}

export interface PlannedFiles {
  /** Files of records, in the order of the target's kinds. */
  readonly outputs: readonly (PlannedFile & { readonly kind: OutputKind })[];
  readonly rejects: PlannedFile | undefined;
  readonly report: PlannedFile | undefined;
  /** The files that describe a dataset folder; undefined if the destination is not a folder. */
  readonly dataset: DatasetFiles | undefined;
}

interface PlanContext {
  readonly cwd: string;
  /** Gets the locks of all files. */
  readonly staging: FileStaging;
}

/**
 * Plans where an export writes, creates the folders of a dataset, and locks the files. Throws UserError: exit 2 if an
 * output is also an input or another output, cannot be a file, or is being written by another run; exit 3 if a folder
 * cannot be created.
 */
export async function planFiles(
  request: Pick<ExportRequest, "target" | "destination" | "storage" | "rejects" | "report">,
  inputs: readonly string[],
  { cwd, staging }: PlanContext,
): Promise<PlannedFiles> {
  const { destination, storage = PLAIN, rejects, report } = request;
  const folder = "folder" in destination ? destination.folder : undefined;
  const named = "folder" in destination ? undefined : destination;
  const kinds = outputKinds(targets[request.target]).filter(
    (kind) => named === undefined || named[kind] !== undefined,
  );
  const toShard = (kind: OutputKind): string => shardName(kind, storage);
  const nameOf = (kind: OutputKind): string => named?.[kind] ?? join(folder ?? "", toShard(kind));
  const description = targets[request.target].describeDataset?.({}).name;
  const described =
    folder === undefined
      ? []
      : [CARD, MANIFEST, ...(description === undefined ? [] : [description])];
  const inFolder = [...kinds.map(toShard), ...described];
  const realFolder =
    folder === undefined ? "" : await openDatasetFolder(folder, inFolder, { cwd, staging });
  const isWritten = (name: string): boolean =>
    inFolder.includes(name) || mayBeShard(name, kinds, storage);
  const former = folder === undefined ? [] : await claimDatasetFolder(folder, isWritten, cwd);
  const names = [
    ...kinds.map(nameOf),
    ...described.map((name) => join(folder ?? "", name)),
    ...[rejects, report].filter((name) => name !== undefined),
  ];
  const paths = await resolveOutputs(names, inputs, cwd);
  await staging.reserve(paths);
  const planned = names.map((name, index) => ({ name, path: paths[index] ?? "" }));
  const take = (wanted: boolean): PlannedFile | undefined => (wanted ? planned.shift() : undefined);
  const outputs = kinds.flatMap((kind) => planned.splice(0, 1).map((file) => ({ kind, ...file })));
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
        former: former.map((name) => join(realFolder, name)),
      },
    rejects: take(rejects !== undefined),
    report: take(report !== undefined),
  };
}

/**
 * Creates a dataset folder, and completes what a killed export began to write there. Returns its absolute path, with
 * symbolic links resolved.
 */
async function openDatasetFolder(
  folder: string,
  names: readonly string[],
  { cwd, staging }: PlanContext,
): Promise<string> {
  if (folder === STDIN) {
    throw new UserError(`output ${folder}: this command writes files: name a folder`, EXIT.usage);
  }
  staging.makeFolders(names.map((name) => dirname(resolve(cwd, folder, name))));
  const path = await realpath(resolve(cwd, folder));
  await staging.reserve([join(path, MANIFEST)]);
  // The killed export may have had another target.
  for (const kind of OUTPUT_KINDS) staging.sweep(join(path, dirname(shardName(kind))));
  return path;
}
