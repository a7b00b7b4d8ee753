import { InvalidArgumentError, Option } from "commander";
import { findInputs } from "../base/files/inputs.js";
import type { InputSource } from "../base/files/source.js";
import { isJsonObject } from "../base/json/value.js";
import type { LinesRequest } from "../base/run/run-lines.js";
import { previewValue, suggestName } from "../base/text.js";
import { EXIT, UserError } from "../base/user-error.js";
import {
  type ChosenShard,
  chooseShard,
  type ShardChoice,
} from "../rollouts/pipeline/partition/manifest.js";
import { DEFAULT_WEIGHTS, type ScoreWeights } from "../rollouts/wire/scoring/score.js";
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

/** Reads `weightsOption`. */
export function readWeights(options: OptionValues): ScoreWeights {
  return options.optional("weights", isWeights) ?? DEFAULT_WEIGHTS;
}

function isWeights(value: unknown): value is ScoreWeights {
  if (!isJsonObject(value)) return false;
  return typeof value.objective === "number" && typeof value.judge === "number";
}

/** A weight without a sign; not hexadecimal, `NaN` or `Infinity`. */
const WEIGHT = /^(objective|judge)=((?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?)$/;

/**
 * Parses the weights of a score: `objective=1,judge=0.3`, in any order. Each must be given exactly once: with
 * only one, the scale of the scores would be unclear.
 */
export function parseWeights(text: string): ScoreWeights {
  const items = text.split(",").map((item) => WEIGHT.exec(item) ?? []);
  const take = (name: string): number =>
    Number(items.find((item) => item[1] === name)?.[2] ?? Number.NaN);
  const weights = { objective: take("objective"), judge: take("judge") };
  const total = weights.objective + weights.judge;
  if (items.length === 2 && total > 0 && Number.isFinite(total)) return weights;
  throw new InvalidArgumentError(
    "Write objective=NUMBER,judge=NUMBER: two decimal numbers from 0, not both 0.",
  );
}

/** Severities as written on a command line. */
const SEVERITY_WORDS: ReadonlyMap<string, RuleSeverity> = new Map([
  ["off", "off"],
  ["warn", "warning"],
  ["error", "error"],
]);

/** Every setting of a rule, such as `duplicate-key=off`. */
export const RULE_SETTINGS: readonly string[] = rules.flatMap(({ id }) =>
  [...SEVERITY_WORDS.keys()].map((word) => `${id}=${word}`),
);

const RULE_ADVICE = `write <id>=${[...SEVERITY_WORDS.keys()].join("|")}.`;

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
  const severity = SEVERITY_WORDS.get(word ?? "");
  if (severity === undefined) throw new InvalidArgumentError(`For ${id} ${RULE_ADVICE}`);
  return { ...before, [id]: severity };
}

/** Option of every command that reads one shard of a partition. */
export const shardOption: Option = new Option(
  "--shard <k/n>",
  "read the k-th of the n shards in a folder that shard split wrote",
).argParser(parseShard);

/**
 * Reads `shardOption`; undefined if it was not given. Throws UserError: exit 2 if `inputs` are not one folder that shard split
 * wrote with so many shards, exit 3 if the shard is not as it was written.
 */
async function readShard(
  options: OptionValues,
  inputs: readonly string[],
  cwd: string,
): Promise<ChosenShard | undefined> {
  const choice = options.optional("shard", isShardChoice);
  if (choice === undefined) return undefined;
  const [folder, ...others] = inputs;
  if (folder === undefined || others.length > 0) {
    throw new UserError("--shard takes one input: the folder that shard split wrote", EXIT.usage);
  }
  return await chooseShard(folder, choice, cwd);
}

/** The files that a command reads. */
export interface Inputs extends Pick<LinesRequest, "files" | "keeps" | "mayBeEmpty"> {
  /** Undefined: the files are no shard. */
  readonly shard: ChosenShard | undefined;
}

/** The files that the user named, or the shard that `shardOption` chooses. Throws as `readShard` and `findInputs` do. */
export async function readInputs(
  options: OptionValues,
  names: readonly string[],
  source: InputSource,
  search?: Parameters<typeof findInputs>[2],
): Promise<Inputs> {
  const shard = await readShard(options, names, source.cwd);
  const files = await findInputs(shard === undefined ? names : [shard.file], source, search);
  return { shard, files, keeps: shard?.siblings, mayBeEmpty: shard !== undefined };
}

function isShardChoice(value: unknown): value is ShardChoice {
  return isJsonObject(value) && typeof value.number === "number";
}

/** Parses one of several shards, such as `3/64`. */
function parseShard(text: string): ShardChoice {
  const [, number, count] = (/^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? []).map(Number);
  if (number !== undefined && count !== undefined && number >= 1 && number <= count) {
    return { number, count };
  }
  throw new InvalidArgumentError(
    "It must be a number from 1 and that of all shards, such as 3/64.",
  );
}
