import { Option } from "commander";
import { escapeControls, formatCount } from "../../base/text.js";
import { groupOutputs } from "../../rollouts/pipeline/export/storage.js";
import { joinShards } from "../../rollouts/pipeline/merge/join-shards.js";
import { formatRows } from "../summary.js";
import { defineWriter } from "../writer.js";

/** Joins the exports of all shards into one dataset folder: that of one export of the partition. */
export const command = defineWriter("shard join", {
  options: [new Option("-o, --output <folder>", "dataset folder to write").makeOptionMandatory()],
  examples: ["shard join out/* --output dataset/"],
  async perform({ operands, options }, context, base) {
    const output = options.text("output");
    const outcome = await joinShards({ ...base, folders: operands, output }, context);
    const records = groupOutputs(outcome.outputs).map(
      (each) => `${each.kind} ${formatCount(each.records, "record")}`,
    );
    const what = [formatCount(operands.length, "shard"), ...records].join(", ");
    return { outcome, summary: formatRows([["join", `${escapeControls(output)}  ${what}`]]) };
  },
});
