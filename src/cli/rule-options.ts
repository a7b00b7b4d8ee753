import { InvalidArgumentError, Option } from "commander";
import { findNearest, previewValue } from "../text.js";
import {
  isProfileName,
  type ProfileName,
  profiles,
  type RuleSettings,
  type RuleSeverities,
  type RuleSeverity,
} from "../validation/profiles.js";
import { isRuleId, rules } from "../validation/rules/index.js";
import type { OptionValues } from "./option-values.js";

/** How a severity is written on a command line. */
const WORDS: ReadonlyMap<string, RuleSeverity> = new Map([
  ["off", "off"],
  ["warn", "warning"],
  ["error", "error"],
]);

const ADVICE = `write <id>=${[...WORDS.keys()].join("|")}.`;

/** Options of every command that applies the semantic rules. */
export const ruleOptions: readonly Option[] = [
  new Option("--profile <name>", "how severe broken rules are, see docs/rules")
    .choices(Object.keys(profiles))
    .default("strict" satisfies ProfileName),
  new Option(
    "--rule <id=severity>",
    "another severity for one rule: off, warn or error; may be given several times",
  ).argParser(parseRuleSetting),
];

/** The severities that `ruleOptions` ask for. */
export function readSeverities(options: OptionValues): RuleSeverities {
  const name = options.text("profile");
  if (!isProfileName(name)) throw new TypeError(`no profile is called "${name}"`);
  return { ...profiles[name], ...options.optionalRules("rule") };
}

/** Adds a setting, as an option's value, to those before it: `duplicate-key=off`. The last one counts. */
export function parseRuleSetting(text: string, before: RuleSettings = {}): RuleSettings {
  const [id = "", word] = text.split(/=(.*)/s);
  if (!isRuleId(id)) {
    const nearest = findNearest(
      id,
      rules.map((rule) => rule.id),
    );
    throw new InvalidArgumentError(
      `No rule is called ${previewValue(id)}. (Did you mean ${nearest}?)`,
    );
  }
  const severity = WORDS.get(word ?? "");
  if (severity === undefined) throw new InvalidArgumentError(`For ${id} ${ADVICE}`);
  return { ...before, [id]: severity };
}
