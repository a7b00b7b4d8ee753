import { InvalidArgumentError, Option } from "commander";
import { findInputs } from "../../base/files/inputs.js";
import { STDIN } from "../../base/files/source.js";
import { escapeControls, formatBytes, formatCount } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import {
  type PartitionOutcome,
  partitionRollouts,
} from "../../rollouts/pipeline/partition/partition.js";
import { parseCount } from "../option-parsers.js";
import { formatRows, type SummaryRow } from "../summary.js";
import { defineWriter } from "../writer.js";

/** Each shard is a file that is open while it is written, and a job for some machine. */
const MAX_SHARDS = 1024;

/** Writes shards of whole rollouts into a folder, and says on stderr what is in them. */
export const command = defineWriter("shard split", {
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
    "export --input shards/ --shard 1/64 --eval-items eval.jsonl --boilerplate-share 1 --exported-at-ms 1700000000000 --output-dir out/1",
  ],
  async perform({ options }, context, base) {
    const folder = options.text("output");
    if (folder === STDIN) {
      const problem = `output ${folder}: this command writes files: name a folder`;
      throw new UserError(problem, EXIT.usage);
    }
    const files = await findInputs(options.texts("input"), context);
    const count = options.count("shards");
    const outcome = await partitionRollouts({ ...base, files, output: folder, count }, context);
    return { outcome, summary: formatRows(summarise(outcome, folder)) };
  },
});

function parseShards(text: string): number {
  const count = parseCount(text);
  if (count >= 1 && count <= MAX_SHARDS) return count;
  throw new InvalidArgumentError(`It must be from 1 to ${MAX_SHARDS}.`);
}

function summarise({ shards, unplaced, removed }: PartitionOutcome, folder: string): SummaryRow[] {
  const lines = shards.reduce((sum, shard) => sum + shard.lines, 0);
  const rollouts = shards.reduce((sum, shard) => sum + shard.rollouts, 0);
  const sizes = shards.map(({ bytes }) => bytes);
  const [least = "", most] = [Math.min(...sizes), Math.max(...sizes)].map(formatBytes);
  const size = least === most ? least : `${least} to ${most}`;
  const counts = [formatCount(lines, "line"), formatCount(rollouts, "rollout")];
  if (unplaced > 0)
    counts.push(formatCount(unplaced, "line names no rollout", "lines name no rollout"));
  return [
    ["split", `${escapeControls(folder)}  ${formatCount(shards.length, "shard")} of ${size}`],
    ["", counts.join(", ")],
    ...(removed > 0
      ? [["removed", `${formatCount(removed, "shard")} of the former partition`] as const]
      : []),
  ];
}
