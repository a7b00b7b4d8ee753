import { availableParallelism } from "node:os";
import { InvalidArgumentError, Option } from "commander";
import type { FindingLimits } from "../base/findings/finding-list.js";
import { isJsonObject } from "../base/json/value.js";
import { reporters } from "../base/reporters/index.js";
import { previewValue, suggestName } from "../base/text.js";
import { EXIT, UserError } from "../base/user-error.js";
import {
  type ChosenShard,
  chooseShard,
  type ShardChoice,
} from "../rollouts/pipeline/partition/manifest.js";
import { DEFAULT_WEIGHTS } from "../rollouts/wire/scoring/score.js";
import {
  isProfileName,
  isRuleSettings,
  type ProfileName,
  profiles,
  type RuleSettings,
  type RuleSeverities,
  type RuleSeverity,
} from "../rollouts/wire/validation/profiles.js";
import { isRuleId, rules } from "../rollouts/wire/validation/rules/index.js";
import type { OptionValues } from "./command.js";
import { parseCount, parseShard, parseWeights } from "./option-parsers.js";

/** Default of `--max-errors`. */
export const DEFAULT_MAX_ERRORS = 100;

/** Options with the same meaning in every command that reports findings. */
export const findingOptions: readonly Option[] = createFindingOptions();

/** The same with further values of `--format`, which the command prints itself. */
export function createFindingOptions(...formats: readonly string[]): readonly Option[] {
  return [
    new Option("-f, --format <name>", "how findings are printed")
      .choices([...reporters.map(({ id }) => id), ...formats])
      .default(reporters[0]?.id),
    new Option("--max-errors <n>", "list at most n errors and n warnings, and count the rest")
      .argParser(parseCount)
      .default(DEFAULT_MAX_ERRORS),
    new Option("--max-warnings <n>", "count every warning after the n-th as an error").argParser(
      parseCount,
    ),
  ];
}

/** Option of every command about copies. */
export const registryOption: Option = new Option(
  "--registry <file>",
  "registry of the schemas whose copies these are (default: that of this package)",
);

/** Reads how many findings are listed and allowed from `findingOptions`. */
export function readFindingLimits(options: OptionValues): FindingLimits {
  return {
    maxErrors: options.count("maxErrors"),
    maxWarnings: options.optionalCount("maxWarnings"),
  };
}

export const schemaRootOption: Option = new Option(
  "--schema-root <folder>",
  "where references to other schemas may begin",
);

/** Weights with which branches are or were scored. */
export const weightsOption: Option = new Option(
  "--weights <weights>",
  "weights of the parts of the score",
)
  .argParser(parseWeights)
  .default(
    DEFAULT_WEIGHTS,
    `objective=${DEFAULT_WEIGHTS.objective},judge=${DEFAULT_WEIGHTS.judge}`,
  );

/** With more threads, the cost in memory outweighs the saved time. */
const MAX_WORKERS = 256;

export const workersOption: Option = new Option("-j, --workers <n>", "threads, this one included")
  .argParser(parseCount)
  .default(availableParallelism(), "one per core");

/** Reads `workersOption`. Throws UserError (exit 2) if it is out of range. */
export function readWorkers(options: OptionValues): number {
  const workers = options.count("workers");
  if (workers < 1 || workers > MAX_WORKERS) {
    throw new UserError(`--workers must be from 1 to ${MAX_WORKERS}`, EXIT.usage);
  }
  return workers;
}

/** Severities as written on a command line. */
const WORDS: ReadonlyMap<string, RuleSeverity> = new Map([
  ["off", "off"],
  ["warn", "warning"],
  ["error", "error"],
]);

/** Every setting of a rule, such as `duplicate-key=off`. */
export const RULE_SETTINGS: readonly string[] = rules.flatMap(({ id }) =>
  [...WORDS.keys()].map((word) => `${id}=${word}`),
);

const ADVICE = `write <id>=${[...WORDS.keys()].join("|")}.`;

const DEFAULT_PROFILE = "strict" satisfies ProfileName;

/** Options of every command that applies the semantic rules. */
export const ruleOptions: readonly Option[] = [
  new Option(
    "--profile <name>",
    `severity of rule violations (default: ${DEFAULT_PROFILE}); see docs/rules`,
  ).choices(Object.keys(profiles)),
  new Option(
    "--rule <id=severity>",
    "override the severity of one rule: off, warn or error; repeatable",
  ).argParser(parseRuleSetting),
];

/**
 * Reads the severities from `ruleOptions`. `configured` are those of the repository: they replace those of the default
 * profile, but not those that the user names.
 */
export function readSeverities(
  options: OptionValues,
  configured: RuleSettings = {},
): RuleSeverities {
  const name = options.optionalText("profile");
  const rules = options.optional("rule", isRuleSettings);
  if (name === undefined) return { ...profiles[DEFAULT_PROFILE], ...configured, ...rules };
  if (!isProfileName(name)) throw new TypeError(`no profile is called "${name}"`);
  return { ...profiles[name], ...rules };
}

/** Parses a setting such as `duplicate-key=off` and adds it to the previous ones. The last setting of a rule counts. */
export function parseRuleSetting(text: string, before: RuleSettings = {}): RuleSettings {
  const [id = "", word] = text.split(/=(.*)/s);
  if (!isRuleId(id)) {
    const ids = rules.map((rule) => rule.id);
    throw new InvalidArgumentError(`No rule is called ${previewValue(id)}${suggestName(id, ids)}`);
  }
  const severity = WORDS.get(word ?? "");
  if (severity === undefined) throw new InvalidArgumentError(`For ${id} ${ADVICE}`);
  return { ...before, [id]: severity };
}

/** Option of every command that can omit lines. */
export const skipInvalidOption: Option = new Option(
  "--skip-invalid",
  "leave out invalid lines and rollouts, with a warning each",
);

/** Options of those that can keep the omitted lines. */
export const leaveOutOptions: readonly Option[] = [
  skipInvalidOption,
  new Option("--rejects <file>", "write the lines that are left out to a file, with the reasons"),
];

/** Options of every command that builds records from rollouts. */
export const runOptions: readonly Option[] = [...leaveOutOptions, workersOption];

interface LeaveOutOptions {
  readonly skipInvalid: boolean;
  readonly rejects: string | undefined;
}

export interface RunOptions extends LeaveOutOptions {
  readonly workers: number;
}

/**
 * Reads `leaveOutOptions`. `leavesOut` tells whether another option omits lines too. Throws UserError (exit 2)
 * for inconsistent options.
 */
export function readLeaveOutOptions(options: OptionValues, leavesOut = false): LeaveOutOptions {
  const skipInvalid = options.flag("skipInvalid");
  const rejects = options.optionalText("rejects");
  if (rejects !== undefined && !skipInvalid && !leavesOut) {
    throw new UserError("--rejects requires --skip-invalid", EXIT.usage);
  }
  return { skipInvalid, rejects };
}

/** Reads `runOptions`. Throws as `readLeaveOutOptions` does. */
export function readRunOptions(options: OptionValues, leavesOut = false): RunOptions {
  return { ...readLeaveOutOptions(options, leavesOut), workers: readWorkers(options) };
}

/** Option of every command that reads one shard of a partition. */
export const shardOption: Option = new Option(
  "--shard <k/n>",
  "read the k-th of the n shards in a folder that partition wrote",
).argParser(parseShard);

/**
 * Reads `shardOption`; undefined if it was not given. Throws UserError: exit 2 if `inputs` are not one folder that partition
 * wrote with so many shards, exit 3 if the shard is not as it was written.
 */
export async function readShard(
  options: OptionValues,
  inputs: readonly string[],
  cwd: string,
): Promise<ChosenShard | undefined> {
  const choice = options.optional("shard", isShardChoice);
  if (choice === undefined) return undefined;
  const [folder, ...others] = inputs;
  if (folder === undefined || others.length > 0) {
    throw new UserError("--shard takes one input: the folder that partition wrote", EXIT.usage);
  }
  return await chooseShard(folder, choice, cwd);
}

function isShardChoice(value: unknown): value is ShardChoice {
  return isJsonObject(value) && typeof value.number === "number";
}
