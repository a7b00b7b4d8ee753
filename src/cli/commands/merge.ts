import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join, resolve } from "node:path";
import { Option } from "commander";
import type { ReportedOutput } from "#generated/index.js";
import { isTargetId } from "../../export/targets/index.js";
import type { OutputKind } from "../../export/targets/target.js";
import { toReadError } from "../../files/source.js";
import type { StagedFile } from "../../files/staging.js";
import { withStaging } from "../../files/staging.js";
import { OutputFile } from "../../rollouts/receiver.js";
import { escapeControls, formatCount } from "../../text.js";
import { EXIT, UserError } from "../../user-error.js";
import type { Command } from "../command.js";
import { planFiles } from "../export/plan-files.js";
import { writeDataset } from "../export/report.js";
import { shardName } from "../export/storage.js";
import { mergeReports } from "../merge/merge-reports.js";
import { type ExportedShard, readShards } from "../merge/read-shards.js";
import { formatRows, reportRecovery } from "../output.js";
import { outlineOf } from "./outlines.js";

/** Joins the exports of all shards into one dataset folder: that of one export of the partition. */
export const merge: Command = {
  ...outlineOf("merge"),
  options: [new Option("-o, --output <folder>", "dataset folder to write").makeOptionMandatory()],
  examples: ["merge out/* --output dataset/"],
  async run({ operands, options }, context) {
    const shards = readShards(operands, context.cwd);
    const folder = options.text("output");
    const [{ report }] = shards;
    if (shards.every((shard) => shard.report.rollouts.exported === 0)) {
      const problem = "no shard has valid records: all were left out, so nothing is merged";
      throw new UserError(problem, EXIT.findings);
    }
    const { target } = report;
    if (!isTargetId(target)) throw new UserError(`no export target is called ${target}`);
    return await withStaging(reportRecovery(context), async (staging) => {
      const inputs = shards.flatMap((shard) =>
        shard.report.outputs.map(({ file }) => join(shard.folder, file)),
      );
      const planned = await planFiles({ target, destination: { folder } }, inputs, {
        cwd: context.cwd,
        staging,
      });
      const outputs: ReportedOutput[] = [];
      for (const { kind, path } of planned.outputs) {
        const staged = await staging.open(path);
        const joined = await joinOutputs(shards, kind, staged, context.cwd);
        if (joined.records > 0) outputs.push(joined);
        else staged.omit();
      }
      const [first, ...others] = shards.map((shard) => shard.report);
      if (first === undefined || planned.dataset === undefined) return EXIT.ok;
      const merged = mergeReports([first, ...others], outputs);
      await writeDataset(planned.dataset, merged, target, staging);
      await staging.commit();
      const records = outputs.map((each) => `${each.kind} ${formatCount(each.records, "record")}`);
      const what = [formatCount(shards.length, "shard"), ...records].join(", ");
      context.stderr.write(formatRows([["merge", `${escapeControls(folder)}  ${what}`]]));
      return EXIT.ok;
    });
  },
};

/** Writes the records of one kind of all shards, in order. Throws UserError (exit 3) if a file has changed. */
async function joinOutputs(
  shards: readonly ExportedShard[],
  kind: OutputKind,
  staged: StagedFile,
  cwd: string,
): Promise<ReportedOutput> {
  const all = new OutputFile(staged, true);
  for (const { folder, report } of shards) {
    const output = report.outputs.find((each) => each.kind === kind);
    if (output === undefined) continue;
    const name = join(folder, output.file);
    const hash = createHash("sha256");
    try {
      for await (const chunk of createReadStream(resolve(cwd, name), {
        highWaterMark: CHUNK_BYTES,
      })) {
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
  return { kind, file: shardName(kind), records, bytes, sha256: all.hash() };
}

/** Larger than the default of streams, whose chunks cost more than their bytes. */
const CHUNK_BYTES = 2 ** 20;

const NO_BYTES = new Uint8Array();
