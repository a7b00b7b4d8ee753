import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { PARTITION_PARTITION_VERSION, type Partition } from "#generated/index.js";
import { expandInputs, requireFiles } from "../../base/files/inputs.js";
import { resolveOutputs } from "../../base/files/outputs.js";
import { displayName, STDIN } from "../../base/files/source.js";
import { withStaging } from "../../base/files/staging.js";
import { toSafeJson } from "../../base/json/print.js";
import { packageVersion } from "../../base/package.js";
import { escapeControls, formatBytes, formatCount } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import {
  claimShards,
  PARTITION_FILE,
  shardName,
} from "../../rollouts/pipeline/partition/manifest.js";
import {
  type PartitionOutcome,
  partitionRollouts,
} from "../../rollouts/pipeline/partition/partition.js";
import type { Command } from "../command.js";
import { parseCount } from "../option-parsers.js";
import { formatRows, reportRecovery, type SummaryRow } from "../output.js";
import { startProgress } from "../progress.js";

/** Each shard is a file that is open while it is written, and a job for some machine. */
const MAX_SHARDS = 1024;

/** Writes shards of whole rollouts into a folder, and says on stderr what is in them. */
export const command: Command = {
  options: [
    new Option(
      "-i, --input <file...>",
      "files, folders or glob patterns of JSONL, plain or compressed, or Parquet; - is standard input",
    ).makeOptionMandatory(),
    new Option("-n, --shards <n>", "number of shards").argParser(parseShards).makeOptionMandatory(),
    new Option("-o, --output <folder>", "folder for the shards").makeOptionMandatory(),
  ],
  examples: [
    "shard split --input 'runs/*.jsonl.gz' --shards 64 --output shards/",
    "export --input shards/ --shard 1/64 --eval-items eval.jsonl --boilerplate-share 1 --output-dir out/1",
  ],
  async run({ options }, context) {
    const files = await expandInputs(options.texts("input"), context);
    await requireFiles(files, context);
    const count = options.count("shards");
    const folder = options.text("output");
    if (folder === STDIN) {
      const problem = `output ${folder}: this command writes files: name a folder`;
      throw new UserError(problem, EXIT.usage);
    }
    const names = Array.from({ length: count }, (_, index) => shardName(index + 1, count));
    return await withStaging(reportRecovery(context), async (staging) => {
      staging.makeFolders([resolve(context.cwd, folder)]);
      const home = realpathSync(resolve(context.cwd, folder));
      const former = claimShards(folder, context.cwd).filter((name) => !names.includes(name));
      const paths = await resolveOutputs(
        [...names, PARTITION_FILE, ...former].map((name) => join(home, name)),
        files,
        context.cwd,
      );
      await staging.reserve(paths);
      const progress = await startProgress(files, context);
      const outputs = paths.slice(0, count);
      const outcome = await partitionRollouts({ files, outputs, progress, staging }, context);
      if (outcome.shards.every(({ lines }) => lines === 0)) {
        const names = files.map(displayName).join(", ");
        throw new UserError(`${names}: contains no lines: nothing was written`, EXIT.findings);
      }
      // An export of the whole folder would read them too.
      for (const path of paths.slice(count + 1)) await staging.remove(path);
      await staging.write(paths[count] ?? "", [toSafeJson(describe(outcome, names))]);
      await staging.commit();
      context.stderr.write(formatRows(summarise(outcome, folder)));
      return EXIT.ok;
    });
  },
};

function parseShards(text: string): number {
  const count = parseCount(text);
  if (count >= 1 && count <= MAX_SHARDS) return count;
  throw new InvalidArgumentError(`It must be from 1 to ${MAX_SHARDS}.`);
}

function describe(
  { inputs, shards, unplaced }: PartitionOutcome,
  names: readonly string[],
): Partition {
  return {
    partition_version: PARTITION_PARTITION_VERSION,
    tool_version: packageVersion(),
    inputs: inputs.map(({ file, bytes, hash = "" }) => ({ file, bytes, sha256: hash })),
    shards: shards.map(({ output, lines, rollouts }, index) => ({
      file: names[index] ?? "",
      lines,
      rollouts,
      bytes: output.bytes,
      sha256: output.hash(),
    })),
    unplaced_lines: unplaced,
  };
}

function summarise({ shards, unplaced }: PartitionOutcome, folder: string): SummaryRow[] {
  const lines = shards.reduce((sum, shard) => sum + shard.lines, 0);
  const rollouts = shards.reduce((sum, shard) => sum + shard.rollouts, 0);
  const sizes = shards.map(({ output }) => output.bytes);
  const [least = "", most] = [Math.min(...sizes), Math.max(...sizes)].map(formatBytes);
  const size = least === most ? least : `${least} to ${most}`;
  const counts = [formatCount(lines, "line"), formatCount(rollouts, "rollout")];
  if (unplaced > 0)
    counts.push(formatCount(unplaced, "line names no rollout", "lines name no rollout"));
  return [
    ["split", `${escapeControls(folder)}  ${formatCount(shards.length, "shard")} of ${size}`],
    ["", counts.join(", ")],
  ];
}
