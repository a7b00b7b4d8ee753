import { Option } from "commander";
import { findInputs } from "../../base/files/inputs.js";
import { formatCount, previewValue } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import {
  createShowStyle,
  describePair,
  describeRollout,
  describeWholeBranch,
  type ShowStyle,
} from "../../rollouts/look/describe-rollout.js";
import { describeStats } from "../../rollouts/look/describe-stats.js";
import { writePaged } from "../../rollouts/look/pager.js";
import { InvalidLines, readViews } from "../../rollouts/look/read-views.js";
import { RolloutStats } from "../../rollouts/look/rollout-stats.js";
import type { RolloutView } from "../../rollouts/look/rollout-view.js";
import type { TargetId } from "../../rollouts/wire/export/targets/index.js";
import type { Command, OptionValues } from "../command.js";
import { requireNoLogs } from "../log-files.js";
import { parseCount } from "../option-parsers.js";
import { startProgress } from "../progress.js";
import { createTargetOption, readTarget } from "../target-option.js";

/** Shows rollouts on stdout, and says on stderr how many lines are none. */
export const command: Command = {
  options: [
    new Option("-s, --summary", "sums over the rollouts: pairs, reasons, scores, lengths"),
    new Option("-r, --rollout <id>", "only this rollout"),
    new Option("-b, --branch <n>", "only this branch of each rollout, in full")
      .argParser(parseCount)
      .conflicts(["pair", "summary"]),
    new Option(
      "-p, --pair",
      "only the two branches that are compared, in full from where they part",
    ).conflicts("summary"),
    createTargetOption(),
  ],
  examples: [
    "show rollouts.jsonl",
    "show runs/ --summary",
    "show rollouts.jsonl --rollout desk-001 --pair",
    "show 'runs/*.jsonl.gz' --rollout desk-001 --branch 2",
  ],
  async run({ operands, options }, context) {
    const files = await findInputs(operands, context);
    await requireNoLogs(files, context);
    const id = options.optionalText("rollout");
    const invalid = new InvalidLines();
    const target = readTarget(options);
    const progress = await startProgress(files, context);
    const views = readViews(files, context, { target, id, invalid, progress });
    const texts = options.flag("summary")
      ? sumUp(views, target)
      : describeEach(views, choosePrinter(options, createShowStyle(context)));
    let isEmpty = true;
    const show = async function* (): AsyncGenerator<string> {
      for await (const text of texts) {
        yield isEmpty ? text : `\n${text}`;
        isEmpty = false;
      }
    };
    await writePaged(show(), context);
    context.stderr.write(invalid.describe(context.program));
    if (isEmpty) throw new UserError(describeNothing(files, options), EXIT.usage);
    return EXIT.ok;
  },
};

type Views = AsyncIterable<RolloutView>;

async function* describeEach(views: Views, print: Printer): AsyncGenerator<string> {
  for await (const view of views) {
    const lines = print(view);
    if (lines.length > 0) yield `${lines.join("\n")}\n`;
  }
}

async function* sumUp(views: Views, target: TargetId): AsyncGenerator<string> {
  const sums = new RolloutStats();
  for await (const view of views) sums.add(view);
  if (sums.rollouts > 0) yield `${describeStats(sums, target).join("\n")}\n`;
}

/** The lines of a rollout; none if it has nothing of what is wanted. */
type Printer = (view: RolloutView) => string[];

function choosePrinter(options: OptionValues, style: ShowStyle): Printer {
  const index = options.optionalCount("branch");
  if (index === undefined) {
    const describe = options.flag("pair") ? describePair : describeRollout;
    return (view) => describe(view, style);
  }
  return (view) => {
    const found = view.branches.filter(({ branch }) => branch.branch_index === index);
    return found.flatMap((branch) => describeWholeBranch(view, branch, style));
  };
}

function describeNothing(files: readonly string[], options: OptionValues): string {
  const branch = options.optionalCount("branch");
  const what = branch === undefined ? "no valid branch" : `no valid branch ${branch}`;
  const id = options.optionalText("rollout");
  const where = formatCount(files.length, "file");
  return id === undefined
    ? `${what} in ${where}`
    : `--rollout ${previewValue(id)}: ${what} of this rollout in ${where}`;
}
