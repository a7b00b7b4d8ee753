import { realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { STDIN } from "../../../base/files/source.js";
import type { LineRun } from "../../../base/run/run-lines.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { type TargetId, targets } from "../../wire/export/targets/index.js";
import { OUTPUT_KINDS, type OutputKind, outputKinds } from "../../wire/export/targets/target.js";
import { CARD, claimDatasetFolder, MANIFEST } from "./dataset-folder.js";
import type { Destination } from "./request.js";
import { mayBeShard, PLAIN, shardName } from "./storage.js";

/** A file of records to be written. */
interface PlannedFile {
  readonly kind: OutputKind;
  /** The name that the user gave, or that of the only file in the folder that he gave. */
  readonly name: string;
  /** Absolute path, with symbolic links resolved. */
  readonly path: string;
}

/** The files of a dataset folder other than records, as absolute paths. */
export interface DatasetFiles {
  readonly card: string;
  readonly manifest: string;
  /** The description for the trainer; undefined if the target has none. */
  readonly description: string | undefined;
  /** The files of an earlier export. Those that this one does not write are removed. */
  readonly former: readonly string[];
}

export interface PlannedFiles {
  /** In the order of the target's kinds. */
  readonly outputs: readonly PlannedFile[];
  /** Absolute path. */
  readonly report: string | undefined;
  /** The files that describe a dataset folder; undefined if the destination is not a folder. */
  readonly dataset: DatasetFiles | undefined;
}

/**
 * Plans where an export writes, creates the folders of a dataset, and locks the files. Throws UserError: exit 2 if an
 * output is also an input or another output, cannot be a file, or is being written by another run; exit 3 if a folder
 * cannot be created.
 */
export async function planFiles(
  run: LineRun,
  target: TargetId,
  { records, storage = PLAIN, report }: Destination,
): Promise<PlannedFiles> {
  const reports = report === undefined ? [] : [report];
  const kinds = outputKinds(targets[target]);
  if (!("folder" in records)) {
    const files = kinds.flatMap((kind) => {
      const name = records[kind];
      return name === undefined ? [] : [{ kind, name }];
    });
    const paths = await run.lock([...files.map(({ name }) => name), ...reports]);
    const outputs = files.map((file, index) => ({ ...file, path: paths[index] ?? "" }));
    return { outputs, report: paths[files.length], dataset: undefined };
  }
  const { folder } = records;
  const files = kinds.map((kind) => ({ kind, name: shardName(kind, storage) }));
  const description = targets[target].describeDataset?.({}).name;
  const described = [CARD, MANIFEST, ...(description === undefined ? [] : [description])];
  const names = [...described, ...files.map(({ name }) => name)];
  const home = await openDatasetFolder(run, folder, names);
  const isWritten = (name: string): boolean =>
    names.includes(name) || mayBeShard(name, kinds, storage);
  const former = await claimDatasetFolder(folder, isWritten, run.source.cwd);
  const all = [...names.map((name) => join(folder, name)), ...reports];
  const paths = await run.lock(all, { isStored: true });
  const [card = "", manifest = "", ...others] = paths;
  return {
    outputs: files.map(({ kind, name }, index) => ({
      ...{ kind, name: join(folder, name) },
      path: paths[described.length + index] ?? "",
    })),
    dataset: {
      ...{ card, manifest },
      description: description === undefined ? undefined : others[0],
      former: former.map((name) => join(home, name)),
    },
    report: paths[names.length],
  };
}

/**
 * Creates a dataset folder, and completes what a killed export began to write there. Returns its absolute path, with
 * symbolic links resolved.
 */
async function openDatasetFolder(
  { staging, source: { cwd } }: LineRun,
  folder: string,
  names: readonly string[],
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
