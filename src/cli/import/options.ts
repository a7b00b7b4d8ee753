import { Option } from "commander";
import type { InputSource } from "../../base/files/source.js";
import { EXIT, UserError } from "../../base/user-error.js";
import type { FormChoice } from "../../rollouts/pipeline/import/file-forms.js";
import type { Form } from "../../rollouts/pipeline/import/forms/form.js";
import { forms } from "../../rollouts/pipeline/import/forms/index.js";
import { rows } from "../../rollouts/pipeline/import/forms/rows.js";
import type { LogsRequest } from "../../rollouts/pipeline/import/run.js";
import {
  readRewardFile,
  readToolsFile,
  type SupplementSettings,
} from "../../rollouts/pipeline/import/supplements.js";
import {
  parseObjective,
  parseScoreRange,
  type RewardMapping,
} from "../../rollouts/pipeline/import/verdicts/rewards.js";
import type { OptionValues } from "../command.js";
import { parseNumber } from "../option-parsers.js";

const DEFAULT_TEMPERATURE = 1;

/** The options of forms, each once: its flags and its description. */
const formOptions = new Map(
  forms.flatMap(({ options }) =>
    options.map(({ flags, description }) => [flags, description] as const),
  ),
);

/** Options that say how logs are read. */
export function createLogOptions(): Option[] {
  return [
    new Option(
      "--objective <condition>",
      'when a branch passes: a metric, a comparison (> >= < <= =) and a number, such as "reward>0"; without it, branches have no verdict',
    ),
    new Option(
      "--score-range <low,high>",
      "map rewards in this range to the judge's score, 0 to 10; rewards outside it are errors",
    ),
    new Option("--score <metric>", "the metric that --score-range maps, if not the reward"),
    new Option("--temperature <n>", "sampling temperature (logs do not contain it)")
      .argParser(parseNumber)
      .default(DEFAULT_TEMPERATURE),
    new Option("--id-prefix <text>", "prefix of every rollout_id, to tell two runs apart"),
    new Option("--pass-value <word>", "the word that passes, where scores are words: C of Inspect"),
    new Option("--tools <file>", "definitions of tools for records that have none, as a JSON list"),
    new Option(
      "--reward-file <file>",
      'rewards by the session or id of a record: lines with {"id", "reward"}, or one JSON object',
    ),
    new Option(
      "--assume-passed",
      "branches without a verdict pass; for demonstrations that were chosen before",
    ),
    new Option(
      "--keep-errored",
      "keep the verdicts of runs that an error of their environment ended, or a limit",
    ),
    ...[...formOptions].map(([flags, description]) => new Option(flags, description)),
  ];
}

/** The form that `--preset`, or a map with a conversation, names: rows. Undefined: forms are to be recognised. */
export function namedForm(options: OptionValues): Form | undefined {
  const map = options.optionalText("map") ?? "";
  return options.isGiven("preset") || /(?:^|,)\s*messages=/.test(map) ? rows : undefined;
}

/** How the user wants logs to be read: by the options of the command line, of which each must apply. */
export function readLogOptions(
  options: OptionValues,
  named: Form | undefined,
): Pick<LogsRequest, "choice" | "rewardFile"> {
  const createReader: FormChoice["createReader"] = (form, sample, file) => {
    const own = new Set(form.options.map(({ flags }) => flags));
    const foreign = [...formOptions.keys()].filter((flags) => !own.has(flags));
    const names = foreign.map((flags) => new Option(flags).attributeName());
    const which = named === undefined ? `, which ${file} is recognised as` : "";
    options.refuse(names, `does not apply to ${form.id}${which}`);
    const isElsewhere = options.isGiven("rewardFile");
    const { passValue, ...rewards } = readRewards(options);
    const none = { objective: undefined, score: undefined };
    const settings = {
      idPrefix: options.optionalText("idPrefix") ?? "",
      temperature: options.count("temperature"),
      rewards: { ...(isElsewhere ? none : rewards), passValue },
      mayLackReward: isElsewhere || options.flag("assumePassed"),
    };
    return form.createReader(settings, options, sample);
  };
  return { choice: { named, createReader }, rewardFile: options.optionalText("rewardFile") };
}

interface ReadSupplements {
  readonly supplements: SupplementSettings;
  /** The files that were read. */
  readonly keeps: readonly string[];
}

/** Reads what the user gives beside the logs. Throws UserError (exit 3) if a file cannot be read. */
export async function readSupplements(
  options: OptionValues,
  source: InputSource,
): Promise<ReadSupplements> {
  const [tools, rewardFile] = ["tools", "rewardFile"].map((name) => options.optionalText(name));
  return {
    supplements: {
      tools: tools === undefined ? undefined : await readToolsFile(tools, source),
      rewards: rewardFile === undefined ? undefined : await readRewardFile(rewardFile, source),
      mapping: readRewards(options),
      assumePassed: options.flag("assumePassed"),
      keepErrored: options.flag("keepErrored"),
    },
    keeps: [tools, rewardFile].filter((each) => each !== undefined),
  };
}

/** Throws UserError (exit 2) if options of logs were given for other files. `why` is a clause about the option. */
export function refuseLogOptions(options: OptionValues, why: string): void {
  options.refuse(
    createLogOptions().map((option) => option.attributeName()),
    why,
  );
}

function readRewards(options: OptionValues): RewardMapping {
  const objective = options.optionalText("objective");
  const range = options.optionalText("scoreRange");
  const metric = options.optionalText("score");
  if (metric !== undefined && range === undefined) {
    throw new UserError("--score requires --score-range", EXIT.usage);
  }
  return {
    objective: objective === undefined ? undefined : parseObjective(objective),
    score: range === undefined ? undefined : { metric, range: parseScoreRange(range) },
    passValue: options.optionalText("passValue"),
  };
}
