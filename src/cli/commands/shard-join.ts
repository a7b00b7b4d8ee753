import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Option } from "commander";
import type { ReportedOutput } from "#generated/index.js";
import { toReadError } from "../../base/files/source.js";
import type { StagedFile } from "../../base/files/staging.js";
import { withStaging } from "../../base/files/staging.js";
import { escapeControls, formatCount } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import { MANIFEST } from "../../rollouts/pipeline/export/dataset-folder.js";
import { planFiles } from "../../rollouts/pipeline/export/plan-files.js";
import { writeDataset } from "../../rollouts/pipeline/export/report.js";
import {
  groupOutputs,
  PLAIN,
  type Storage,
  shardName,
  toStorage,
} from "../../rollouts/pipeline/export/storage.js";
import { mergeReports } from "../../rollouts/pipeline/merge/merge-reports.js";
import { type ExportedShard, readShards } from "../../rollouts/pipeline/merge/read-shards.js";
import { OutputFile } from "../../rollouts/pipeline/receiver.js";
import { isTargetId } from "../../rollouts/wire/export/targets/index.js";
import type { OutputKind } from "../../rollouts/wire/export/targets/target.js";
import type { Command } from "../command.js";
import { formatRows, reportRecovery } from "../output.js";

/** Joins the exports of all shards into one dataset folder: that of one export of the partition. */
export const command: Command = {
  options: [new Option("-o, --output <folder>", "dataset folder to write").makeOptionMandatory()],
  examples: ["shard join out/* --output dataset/"],
  async run({ operands, options }, context) {
    const shards = readShards(operands, context.cwd);
    const folder = options.text("output");
    const [{ report }] = shards;
    if (shards.every((shard) => shard.report.rollouts.exported === 0)) {
      const problem = "no shard has valid records: all were skipped, so nothing is written";
      throw new UserError(problem, EXIT.findings);
    }
    const { target, settings } = report;
    if (!isTargetId(target)) throw new UserError(`no export target is called ${target}`);
    return await withStaging(reportRecovery(context), async (staging) => {
      const storage = toStorage(settings);
      const shardBytes = isJoined(storage) ? undefined : Number.POSITIVE_INFINITY;
      const inputs = shards.flatMap((shard) =>
        [MANIFEST, ...shard.report.outputs.map(({ file }) => file)].map((file) =>
          join(shard.folder, file),
        ),
      );
      const request = { target, destination: { folder }, storage: { ...storage, shardBytes } };
      const planned = await planFiles(request, inputs, { cwd: context.cwd, staging });
      const outputs: ReportedOutput[] = [];
      for (const { kind, path } of planned.outputs) {
        const groups = groupFiles(shards, kind, storage);
        for (const [index, files] of groups.entries()) {
          const name = shardName(kind, storage, index, groups.length);
          const staged = await staging.open(join(dirname(dirname(path)), name));
          outputs.push({ kind, file: name, ...(await joinFiles(files, staged, context.cwd)) });
          await staged.finish();
        }
      }
      const [first, ...others] = shards.map((shard) => shard.report);
      if (first === undefined || planned.dataset === undefined) return EXIT.ok;
      const merged = mergeReports([first, ...others], outputs);
      await writeDataset(planned.dataset, merged, target, staging);
      await staging.commit();
      const records = groupOutputs(outputs).map(
        (each) => `${each.kind} ${formatCount(each.records, "record")}`,
      );
      const what = [formatCount(shards.length, "shard"), ...records].join(", ");
      context.stderr.write(formatRows([["join", `${escapeControls(folder)}  ${what}`]]));
      return EXIT.ok;
    });
  },
};

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
  staged: StagedFile,
  cwd: string,
): Promise<Pick<ReportedOutput, "records" | "bytes" | "sha256">> {
  const all = new OutputFile(staged, true);
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
  const { records, bytes } = all;
  return { records, bytes, sha256: all.hash() };
}

/** Larger than the default of streams, whose chunks cost more than their bytes. */
const CHUNK_BYTES = 2 ** 20;

const NO_BYTES = new Uint8Array();
