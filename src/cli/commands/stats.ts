import { expandInputs, requireFiles } from "../../base/files/inputs.js";
import { formatCount } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import { describeStats } from "../../rollouts/look/describe-stats.js";
import { InvalidLines, readViews } from "../../rollouts/look/read-views.js";
import { RolloutStats } from "../../rollouts/look/rollout-stats.js";
import type { Command } from "../command.js";
import { pairTargetOption, readPairTarget } from "../pair-target.js";
import { startProgress } from "../progress.js";
import { outlineOf } from "./outlines.js";

/** Sums up rollouts on stdout, and says on stderr how many lines are none. */
export const stats: Command = {
  ...outlineOf("stats"),
  options: [pairTargetOption],
  examples: ["stats rollouts.jsonl", "stats runs/ --target openai"],
  async run({ operands, options }, context) {
    const target = readPairTarget(options);
    const files = await expandInputs(operands, context);
    await requireFiles(files, context);
    const invalid = new InvalidLines();
    const sums = new RolloutStats();
    const progress = await startProgress(files, context);
    const views = readViews(files, context, { target, invalid, progress });
    for await (const view of views) sums.add(view);
    context.stderr.write(invalid.describe());
    if (sums.rollouts === 0) {
      throw new UserError(`no valid branch in ${formatCount(files.length, "file")}`, EXIT.usage);
    }
    context.stdout.write(`${describeStats(sums, target).join("\n")}\n`);
    return EXIT.ok;
  },
};
