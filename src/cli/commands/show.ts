import { Option } from "commander";
import { expandInputs, requireFiles } from "../../base/files/inputs.js";
import { formatCount, previewValue } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import {
  createShowStyle,
  describePair,
  describeRollout,
  describeWholeBranch,
  type ShowStyle,
} from "../../rollouts/look/describe-rollout.js";
import { writePaged } from "../../rollouts/look/pager.js";
import { InvalidLines, readViews } from "../../rollouts/look/read-views.js";
import type { RolloutView } from "../../rollouts/look/rollout-view.js";
import type { Command, OptionValues } from "../command.js";
import { parseCount } from "../option-parsers.js";
import { pairTargetOption, readPairTarget } from "../pair-target.js";
import { startProgress } from "../progress.js";
import { outlineOf } from "./outlines.js";

/** Shows rollouts on stdout, and says on stderr how many lines are none. */
export const show: Command = {
  ...outlineOf("show"),
  options: [
    new Option("-r, --rollout <id>", "only this rollout"),
    new Option("-b, --branch <n>", "only this branch of each rollout, in full").argParser(
      parseCount,
    ),
    new Option(
      "-p, --pair",
      "only the two branches that are compared, in full from where they part",
    ),
    pairTargetOption,
  ],
  examples: [
    "show rollouts.jsonl",
    "show rollouts.jsonl --rollout desk-001 --pair",
    "show 'runs/*.jsonl.gz' --rollout desk-001 --branch 2",
  ],
  async run({ operands, options }, context) {
    const print = choosePrinter(options, createShowStyle(context));
    const files = await expandInputs(operands, context);
    await requireFiles(files, context);
    const id = options.optionalText("rollout");
    const invalid = new InvalidLines();
    const target = readPairTarget(options);
    const progress = await startProgress(files, context);
    const views = readViews(files, context, { target, id, invalid, progress });
    let shown = 0;
    const show = async function* (): AsyncGenerator<string> {
      for await (const view of views) {
        const lines = print(view);
        if (lines.length === 0) continue;
        yield `${shown === 0 ? "" : "\n"}${lines.join("\n")}\n`;
        shown += 1;
      }
    };
    await writePaged(show(), context);
    context.stderr.write(invalid.describe());
    if (shown === 0) throw new UserError(describeNothing(files, options), EXIT.usage);
    return EXIT.ok;
  },
};

/** The lines of a rollout; none if it has nothing of what is wanted. */
type Printer = (view: RolloutView) => string[];

function choosePrinter(options: OptionValues, style: ShowStyle): Printer {
  const index = options.optionalCount("branch");
  if (index === undefined) {
    const describe = options.flag("pair") ? describePair : describeRollout;
    return (view) => describe(view, style);
  }
  if (options.flag("pair")) {
    throw new UserError("--branch and --pair exclude each other", EXIT.usage);
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
