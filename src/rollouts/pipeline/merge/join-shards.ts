import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ReportedOutput } from "#generated/index.js";
import { type InputSource, toReadError } from "../../../base/files/source.js";
import { type LinesOutcome, type LinesRequest, runLines } from "../../../base/run/run-lines.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { isTargetId } from "../../wire/export/targets/index.js";
import type { OutputKind } from "../../wire/export/targets/target.js";
import { MANIFEST } from "../export/dataset-folder.js";
import { writeDataset } from "../export/descriptions.js";
import { planFiles } from "../export/plan-files.js";
import { PLAIN, type Storage, shardName, toStorage } from "../export/storage.js";
import { RecordOutput } from "../record-output.js";
import { mergeReports } from "./merge-reports.js";
import { type ExportedShard, readShards } from "./read-shards.js";

interface JoinRequest extends Pick<LinesRequest, "limits" | "onRecovered"> {
  /** Dataset folders, each of the export of one shard. */
  readonly folders: readonly string[];
  /** Dataset folder to write. */
  readonly output: string;
}

export interface JoinOutcome extends LinesOutcome {
  readonly outputs: readonly ReportedOutput[];
}

/**
 * Joins the exports of all shards into one dataset folder: that of one export of the partition.
 *
 * Throws UserError as `readShards` and `planFiles` do, and (exit 1) if no shard has a record.
 */
export async function joinShards(
  { folders, output, ...request }: JoinRequest,
  source: InputSource,
): Promise<JoinOutcome> {
  const { cwd } = source;
  const shards = readShards(folders, cwd);
  const [{ report }] = shards;
  if (shards.every((shard) => shard.report.rollouts.exported === 0)) {
    const problem = "no shard has valid records: all were skipped, so nothing is written";
    throw new UserError(problem, EXIT.findings);
  }
  const { target, settings } = report;
  if (!isTargetId(target)) throw new UserError(`no export target is called ${target}`);
  const storage = toStorage(settings);
  const shardBytes = isJoined(storage) ? undefined : Number.POSITIVE_INFINITY;
  const keeps = shards.flatMap((shard) =>
    [MANIFEST, ...shard.report.outputs.map(({ file }) => file)].map((file) =>
      join(shard.folder, file),
    ),
  );
  const lines = { ...request, files: [], keeps, mayBeEmpty: true };
  return await runLines(lines, source, async (run) => {
    const { staging } = run;
    const destination = { records: { folder: output }, storage: { ...storage, shardBytes } };
    const planned = await planFiles(run, target, destination);
    const outputs: ReportedOutput[] = [];
    for (const { kind, path } of planned.outputs) {
      const groups = groupFiles(shards, kind, storage);
      for (const [index, files] of groups.entries()) {
        const name = shardName(kind, storage, index, groups.length);
        const plan = { path: join(dirname(dirname(path)), name) };
        const output = await RecordOutput.open(plan, staging, true);
        await joinFiles(files, output, cwd);
        const [{ records, bytes, sha256 }] = output.parts;
        outputs.push({ kind, file: name, records, bytes, sha256 });
      }
    }
    const [first, ...others] = shards.map((shard) => shard.report);
    if (first !== undefined && planned.dataset !== undefined) {
      const merged = mergeReports([first, ...others], outputs);
      await writeDataset(planned.dataset, merged, target, staging);
    }
    return { result: { outputs } };
  });
}

/** A file of records that an export of a shard wrote. */
interface ShardFile {
  /** As a user would name it. */
  readonly name: string;
  readonly output: ReportedOutput;
}

/**
 * The files of one kind of all shards, in order, by the file that they are joined into. JSONL is joined into one, as one
 * export writes it. Files of other formats stay as they are, as do those of a certain size.
 */
function groupFiles(
  shards: readonly ExportedShard[],
  kind: OutputKind,
  storage: Storage,
): readonly (readonly ShardFile[])[] {
  const files = shards.flatMap(({ folder, report }) =>
    report.outputs
      .filter((output) => output.kind === kind)
      .map((output) => ({ name: join(folder, output.file), output })),
  );
  return isJoined(storage) && files.length > 0 ? [files] : files.map((file) => [file]);
}

/** Whether files become one by joining their bytes. */
function isJoined({ format, compression, shardBytes }: Storage): boolean {
  return format === PLAIN.format && compression === undefined && shardBytes === undefined;
}

/** Writes the bytes of files, one after the other. Throws UserError (exit 3) if one has changed since its export. */
async function joinFiles(
  files: readonly ShardFile[],
  all: RecordOutput,
  cwd: string,
): Promise<void> {
  for (const { name, output } of files) {
    const hash = createHash("sha256");
    const chunks = createReadStream(resolve(cwd, name), { highWaterMark: CHUNK_BYTES });
    try {
      for await (const chunk of chunks) {
        hash.update(chunk);
        await all.write(chunk, 0);
      }
    } catch (error) {
      throw error instanceof UserError ? error : toReadError(name, error);
    }
    if (`sha256:${hash.digest("hex")}` !== output.sha256) {
      throw new UserError(`${name}: has changed since its export: export the shard again`);
    }
    await all.write(NO_BYTES, output.records);
  }
  await all.finish();
}

/** Larger than the default of streams, whose chunks cost more than their bytes. */
const CHUNK_BYTES = 2 ** 20;

const NO_BYTES = new Uint8Array();
